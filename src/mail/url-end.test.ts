import { describe, expect, test } from 'vitest'
import { cpuTime } from '#test/support/program/cpu-time.ts'
import { urlsInText } from './url-end.ts'

const U = 'https://a.example/verify?token=9f8a7c6b'
const urls = (text: string): string[] => Array.from(urlsInText(text), ({ url }) => url)

describe('a URL in plain text', () => {
  test.each([
    `Open ${U}.`,
    `Open ${U}, then log in`,
    `Open ${U}…`,
    `Open ${U}...`,
    `Open ${U}—it expires soon`,
    `(${U})`,
    `(open ${U}).`,
    `[here](${U})`,
    `<${U}>`,
    `"${U}" '${U}' \`${U}\``,
    `*${U}* _${U}_`,
    `“${U}” ‘${U}’ „${U}“ «${U}» »${U}« ‹${U}›`,
    `»${U}«, dann`,
    `请点击${U}完成验证`,
    `请点击 ${U}，完成验证`,
    `${U},完成`,
    `【${U}】《${U}》「${U}」（${U}）`,
    `${U}।`,
    `${U}۔`,
    `${U}، ثم أكمل`,
    `${U}؟`,
    `${U}።`,
    `${U}។ `,
    `${U}။`,
    `\u2066${U}\u2069 \u200E${U}\u200F`,
  ])('ends before the punctuation of the sentence: %s', (text) => expect(new Set(urls(text))).toEqual(new Set([U])))

  test.each([
    'https://a.example/x_(y)',
    'https://a.example/verify/Zk3-_',
    'https://a.example/verify/Zk3-',
    'https://a.example/?a[0]',
    'https://a.example/?token=YQ==',
    'https://a.example/確認/x',
    'https://a.example/größe',
    'https://a.example/wiki/北京',
    'https://a.example/wiki/北京_(2008年)',
    'https://a.example/?q=北京2008奥运',
    'https://a.example/วิกิ#ไทย',
    'https://北京.example/x',
    'https://a.example/Foo–Bar',
    'https://a.example/x/',
    'http://[::1]/x',
  ])('keeps all of %s', (url) => expect(urls(`(${url}),`)).toEqual([url]))

  test('is told with its place', () =>
    expect([...urlsInText(`a ${U}, b ${U}`)].map(({ index }) => index)).toEqual([2, 2 + U.length + 4]))

  test.each(['https://a' + '.'.repeat(500_000) + 'x', 'https://a('.repeat(50_000), `https://a${'确'.repeat(300_000)}`])(
    'is found in linear time in hostile input %#',
    (text) => expect(cpuTime(() => urls(text))).toBeLessThan(1000),
  )
})
