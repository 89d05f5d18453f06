import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { languages } from '#locales/languages.ts'
import { readCorpus } from './corpus.ts'
import { checkLanguage } from './language.ts'

const DESCRIPTIONS: Record<string, string> = {
  en: 'A private temporary address, there instantly and gone after a day.',
  de: 'Eine private temporäre Adresse, sofort da und nach einem Tag weg.',
}

/** German text that is long enough to require all letters of the language. */
const LONG_TEXT = 'Viele Wörter ohne ein scharfes S. '.repeat(600)

const page = (lang: string, title: string, body: string, more = '') =>
  `---\ntitle: ${title}\ndescription: ${DESCRIPTIONS[lang]}\nkeywords: a, b, c\n${more}---\n${body}\n`

const FILES: Record<string, string> = {
  'locales/glossary/en.json': '{ "copy": { "use": ["copy"] } }',
  'locales/glossary/de.json': '{ "copy": { "use": ["kopieren"], "avoid": ["abkupfern"] } }',
  'locales/glossary/es.json': '{ "copy": { "use": [] } }',
  'locales/glossary/hi.json': '{ "copy": { "use": [] } }',
  'locales/en.json':
    '{ "a.copy": "Copy", "a.text": "Copy the text", "a.left": "{n, plural, one {# hour} other {# hours}}" }',
  'locales/de.json':
    '{ "a.copy": "Kopieren", "a.text": "Text kopieren", "a.left": "{n, plural, one {# Stunde} other {# Stunden}}" }',
  'content/pages/home/en.md': page('en', 'Home', '## Why\n\nPress “Copy” within 24 hours.'),
  'content/pages/home/de.md': page('de', 'Start', '## Warum\n\nKlicken Sie in 24 Stunden auf „Kopieren“.'),
  'content/articles/mail/en.md': page('en', 'Mail', 'It is **here**.', 'date: 2026-11-21\n'),
  'content/articles/mail/de.md': page('de', 'Post', 'Sie ist **hier**.', 'date: 2026-11-21\n'),
}

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'mayfly-languages-'))
  for (const [path, text] of Object.entries(FILES)) write(path, text)
})
afterEach(() => rmSync(root, { recursive: true }))

function write(path: string, text: string) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

function check(code: string): string[] {
  const language = languages.find((each) => each.code === code)!
  return checkLanguage(language, readCorpus(root, ['en', code])).map(({ where, what }) => `${where}: ${what}`)
}

it('finds nothing in correct texts', () => {
  expect(check('en')).toEqual([])
  expect(check('de')).toEqual([])
})

it.each([
  ['locales/de.json', 'Text kopieren', 'Copy the text', 'a.text: is left in English'],
  ['locales/de.json', '# Stunden}', '# Stunden', 'a.left: is not a valid ICU message'],
  ['locales/de.json', 'Kopieren",', 'Kopieren,', 'locales/de.json: SyntaxError'],
  ['locales/de.json', 'Text kopieren', 'Text einsetzen', 'a.text: has none of the words for "copy" in the glossary'],
  ['locales/glossary/de.json', 'copy', 'paste', 'locales/glossary/de.json: lacks the terms copy'],
  ['content/pages/home/de.md', 'Warum', 'Abkupfern', 'content/pages/home/de.md: says "Abkupfern" for "copy"'],
  ['content/pages/home/de.md', '24', '42', 'content/pages/home/de.md: lacks the number 24'],
  ['content/pages/home/de.md', '„Kopieren“', '„Tippen“', 'content/pages/home/de.md: quotes "Copy"'],
  ['content/pages/home/de.md', '„Kopieren“', '"Kopieren"', 'content/pages/home/de.md: has the quotation mark "'],
  ['content/pages/home/de.md', '## Warum', '### Warum', 'content/pages/home/de.md: block 1 is h3'],
  ['content/pages/home/de.md', 'Warum', 'Wаrum', 'content/pages/home/de.md: has letters of another alphabet'],
  ['content/pages/home/de.md', 'Stunden auf', 'hours of your time auf', 'content/pages/home/de.md: has English in it'],
  [
    'content/pages/home/de.md',
    '---\ntitle',
    'title',
    'content/pages/home/de.md: Error: A text must begin with front matter',
  ],
  ['locales/de.json', 'one {# Stunde} ', '', 'a.left: {n}: lacks the branch one'],
  ['locales/de.json', '"a.copy": "Kopieren",', '', 'messages: lack 1 keys of the source: a.copy'],
  ['locales/de.json', 'Text kopieren', 'Text kopieren und wieder einsetzen', 'a.text: is 34 columns long'],
  ['content/pages/home/de.md', 'Warum', 'Warum...', 'content/pages/home/de.md: has three dots'],
  ['content/pages/home/de.md', '24', '٢٤', 'content/pages/home/de.md: has the digit ٢'],
  ['content/pages/home/de.md', 'Warum', 'Wa\u200Brum', 'content/pages/home/de.md: has an invisible'],
  [
    'content/pages/home/de.md',
    'Eine private',
    'Eine ganz und gar private, für alle Menschen auf der Welt und für alle Welt gänzlich unsichtbare, für jede und jeden sofort sichtbare, ganz und gar kostenlose',
    'content/pages/home/de.md: description is',
  ],
  [
    'content/pages/home/de.md',
    'in 24 Stunden',
    'bitte, wenn es Ihnen gerade gut passt, in 24 Stunden',
    'content/pages/home/de.md: is 2',
  ],
  [
    'content/pages/home/de.md',
    'Klicken Sie in 24 Stunden auf „Kopieren“',
    'Press “Copy” within 24 hours',
    'content/pages/home/de.md: is left in English',
  ],
  [
    'content/pages/home/de.md',
    'Eine private temporäre Adresse, sofort da und nach einem Tag weg',
    'A private temporary address, there instantly and gone after a day',
    'content/pages/home/de.md: is the same in en',
  ],
  ['content/articles/mail/de.md', '-21', '-22', 'content/articles/mail/de.md: has the date 2026-11-22'],
  ['content/articles/mail/de.md', '**hier**', '** hier**', 'content/articles/mail/de.md: has marks'],
  ['content/articles/mail/de.md', 'hier**.', 'hier**', 'content/articles/mail/de.md: ends without a stop'],
])('finds an error in %s: %s -> %s', (path, from, to, fault) => {
  const source = FILES[path] ?? ''
  expect(source).toContain(from)
  write(path, source.replaceAll(from, to))
  expect(check('de')).toContainEqual(expect.stringContaining(fault))
})

it.each([
  ['locales/en.json', 'Copy the text', 'Copy the text; paste it', 'a.text: ";" joins two sentences'],
  ['content/pages/home/en.md', 'Why', 'Why at once', 'content/pages/home/en.md: "at once" is not house style'],
])('finds an error of style in %s: %s -> %s', (path, from, to, fault) => {
  write(path, (FILES[path] ?? '').replaceAll(from, to))
  expect(check('en')).toContainEqual(expect.stringContaining(fault))
})

it('finds missing letters and inconsistent quotation marks', () => {
  write('content/articles/mail/de.md', page('de', 'Post', LONG_TEXT))
  expect(check('de')).toContain('all texts: never uses the letters ü ß')
  write('locales/es.json', '{ "a.copy": "«Copiar»", "a.text": "«Copiar»", "a.left": "“Copiar”" }')
  expect(check('es')).toContainEqual(expect.stringContaining('a.left: has “” where most texts have «»'))
})

it('finds Latin words in another script', () => {
  write('locales/hi.json', '{ "a.copy": "Copy this address", "a.text": "कॉपी", "a.left": "कॉपी" }')
  expect(check('hi')).toContain('a.copy: has Latin words in it: "Copy this address"')
  expect(check('hi')).toContainEqual(expect.stringMatching(/^all texts: has only \d+ %/))
})

it('finds missing files', () => {
  for (const path of ['locales/de.json', 'content/articles/mail/de.md']) rmSync(join(root, path))
  expect(check('de')).toEqual(['locales/de.json: is missing', 'content/articles/mail/de.md: is missing'])
})
