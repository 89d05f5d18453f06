/** Fields to search, in the languages of the extension. */

import { anyOf, word } from './patterns.ts'

const SEARCH_FIRST = [
  'search|filter|such(?:e|en|begriff)|durchsuch|busca|buscar|busque|pesquis|procur|cerca|filtr|recherch|cherch|zoek|doorzoek|szuka|wyszuk',
  'поиск|искать|найти|пошук|шукати|знайти|ค้นหา|搜索|搜尋|搜寻|查找|检索|検索|검색|खोज|ढूँढ|بحث|ابحث|جستجو|تلاش|খুঁজ|অনুসন্ধান|શોધ|தேடு|వెతక|శోధ',
  'ရှာ|ស្វែងរក|ፈልግ|tafuta|sök|søg|søk|etsi|keres(?!zt)|caut[aă]',
  word('cari', 'tìm', 'tìm kiếm', 'hae', 'nemi', 'ara'),
]
const SEARCH_LAST = [
  '検索|検索する|검색|खोजें|खोज|suchen|filtern|zoeken|搜索|搜尋|检索|查找|શોધો|தேடு|தேடல்|శోధన|খুঁজুন|تلاش کریں',
  word('ara'),
]
const SEARCH = anyOf(
  String.raw`^\P{L}{0,9}(?:${SEARCH_FIRST.join('|')})`,
  String.raw`(?:${SEARCH_LAST.join('|')})\P{L}{0,9}$`,
)
/** Whether a field with this text searches, for example in emails. */
export const isSearch = (text: string): boolean => SEARCH.test(text)
