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
    `*${U}* _${U}_ ~${U}~ **${U}**. __${U}__, ~~${U}~~`,
    `[${U}](${U}) [${U}]( ${U} )`,
    `[${U}]or (${U})or`,
    `[url]${U}[/url] [url=${U}]Confirm[/url]`,
    `|Confirm|${U}|`,
    `|${U}|Confirm`,
    `${U}|${U}`,
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
    `\u2066${U}\u2069 \u200E${U}\u200F ${U}\u061C`,
    `${U}を開くメールーサーバー`,
    `${U}ー`,
  ])('ends before the punctuation of the sentence: %s', (text) => expect(new Set(urls(text))).toEqual(new Set([U])))

  test.each([
    'https://a.example/x_(y)',
    'https://a.example/verify/Zk3-_',
    'https://a.example/verify/Zk3-',
    'https://a.example/?a[0]',
    'https://a.example/?a[0](x)&b=(1)',
    'https://a.example/?family=A|B',
    'https://a.example/~anna/a~b',
    'https://a.example/?token=YQ==',
    'https://a.example/確認/x',
    'https://a.example/größe',
    'https://a.example/wiki/北京',
    'https://a.example/wiki/北京_(2008年)',
    'https://a.example/?q=北京2008奥运',
    'https://a.example/วิกิ#ไทย',
    'https://北京.example/x',
    'https://www.北京2008.cn/verify?token=1',
    'https://www.サーバー.jp/verify?token=1',
    'https://example.中国',
    'https://example.ไทย',
    'https://例子.中国/verify?t=1',
    'https://例子.测试',
    'https://한국.한국/x',
    'https://東京2020.jp/x',
    'https://日本-東京.jp/x',
    'https://ラーメン大学.jp',
    'https://www.ai研究所.jp/verify?token=1',
    'https://www.tv東京.jp',
    'https://www.ai研究所2020.jp/verify?token=1',
    'https://my.shop札幌.co.jp/verify?token=1',
    'https://ai研究所.tv東京.jp/x',
    'https://食狮.公司.cn:8443/x',
    'https://例子.内网/x',
    'https://user:word@例子.中国/x',
    'https://a.example/v?name=Ann李+明&token=9f',
    'https://a.example/vx李-明/x?token=9',
    'https://a.example/v/Ann李.明?token=12',
    'https://a.example/t:明/x?token=1',
    'https://a.example/verify?e=x,明&token=1',
    'https://a.example/x確認・完了/x',
    'https://a.example/x確認.pdf',
    'https://a.example/Foo–Bar',
    'https://a.example/x/',
    'http://[::1]/x',
  ])('keeps all of %s', (url) => expect(urls(`(${url}),`)).toEqual([url]))

  test.each([
    ['请打开https://shop.com完成验证', 'https://shop.com'],
    ['请打开https://shop.com完成/取消', 'https://shop.com'],
    ['请打开https://shop.com或shop.cn', 'https://shop.com'],
    ['请打开https://shop.com完成.com', 'https://shop.com'],
    ['请打开https://www.example.com登录.com', 'https://www.example.com'],
    ['请打开https://shop.com或m.shop.cn/x', 'https://shop.com'],
    ['请打开https://shop.com或163.com/x', 'https://shop.com'],
    ['请打开https://www.shop.com或www.shop.cn/x', 'https://www.shop.com'],
    ['请打开https://shop.com.完成验证', 'https://shop.com'],
    ['请打开https://shop.com', 'https://shop.com'],
    ['请打开https://localhost完成', 'https://localhost'],
    ['请打开https://例子.中国完成验证', 'https://例子.中国'],
    ['请打开https://例子.中国，完成', 'https://例子.中国'],
    ['เปิดhttps://ตัวอย่าง.ไทยเพื่อยืนยัน', 'https://ตัวอย่าง.ไทย'],
    ['https://www.東京2020.jpを開く', 'https://www.東京2020.jp'],
    ['https://www.ai研究所.jpを開く', 'https://www.ai研究所.jp'],
    ['https://my.tv東京.jpを開く/閉じる', 'https://my.tv東京.jp'],
    ['https://www.comを開く', 'https://www.com'],
    ['https://한국.한국에서', 'https://한국.한국'],
    ['https://例子.中国.', 'https://例子.中国'],
  ])('with only a host ends where the sentence goes on: %s', (text, url) => expect(urls(text)).toEqual([url]))

  test('is none without a host', () => expect(urls('https://完成验证 https:// https://，')).toEqual([]))

  test('ends where the next one begins', () =>
    expect(urls('https://shop.com或者https://shop.cn/x完成,打开https://例子.中国或http://a.example')).toEqual([
      'https://shop.com',
      'https://shop.cn/x',
      'https://例子.中国',
      'http://a.example',
    ]))

  test('is told with its place', () =>
    expect([...urlsInText(`a ${U}, b ${U}`)].map(({ index }) => index)).toEqual([2, 2 + U.length + 4]))

  test.each([
    'https://a' + '.'.repeat(500_000) + 'x',
    'https://a('.repeat(50_000),
    '[https://a]('.repeat(50_000),
    '|https://a'.repeat(50_000),
    `(https://a${'('.repeat(300_000)}`,
    `https://a${'确'.repeat(300_000)}`,
    `https://a.example/x${'确,'.repeat(150_000)}`,
    'https://a确'.repeat(50_000),
    `https://${'确.a'.repeat(100_000)}`,
    `https://a${'.com确'.repeat(100_000)}`,
    `https://a${'.com确'.repeat(50_000)}${'.x1'.repeat(50_000)}`,
  ])('is found in linear time in hostile input %#', { tags: ['slow'] }, (text) =>
    expect(cpuTime(() => urls(text))).toBeLessThan(1000),
  )
})
