import { describe, expect, test } from 'vitest'
import { cpuTime } from '#test/support/program/cpu-time.ts'
import { frameCsp } from './frame-csp.ts'
import { textFrame } from './frame.ts'
import { textToHtml } from './text.ts'
import { htmlToText } from './to-text.ts'

const anchor = (url: string): string =>
  `<a dir="ltr" href="${url}" target="_blank" rel="noopener noreferrer nofollow">${url}</a>`

describe('textToHtml', () => {
  test.each([
    ['a < b & "c" \'d\'', 'a &lt; b &amp; &quot;c&quot; &#39;d&#39;'],
    ['see https://a.example/x?y=1.', `see ${anchor('https://a.example/x?y=1')}.`],
    ['(https://a.example/x)', `(${anchor('https://a.example/x')})`],
    ['https://a.example/x_(y)', anchor('https://a.example/x_(y)')],
    [
      '（https://en.wikipedia.example/wiki/Foo_(bar)） (see https://a.example/x_(y)).',
      `（${anchor('https://en.wikipedia.example/wiki/Foo_(bar)')}） (see ${anchor('https://a.example/x_(y)')}).`,
    ],
    ['邮箱：【https://a.example/v?t=9f2a】完成注册', `邮箱：【${anchor('https://a.example/v?t=9f2a')}】完成注册`],
    ['请点击https://a.example/v?t=9f2a完成验证', `请点击${anchor('https://a.example/v?t=9f2a')}完成验证`],
    ['https://a.example/wiki/Käse،', `${anchor('https://a.example/wiki/Käse')}،`],
    ['请点击https://a.example/确认。谢谢', `请点击${anchor('https://a.example/确认')}。谢谢`],
    ['<https://a.example>', `&lt;${anchor('https://a.example')}&gt;`],
    ['https://a.example/"onclick="x', `${anchor('https://a.example/')}&quot;onclick=&quot;x`],
    ['https://', 'https://'],
    ['javascript:x ftp://a.example', 'javascript:x ftp://a.example'],
    ['> one\n>> two\n> > > > many\nnone', [1, 2, 3, 0]],
  ])('converts %s', (text, expected) => {
    const html = textToHtml(text)
    if (typeof expected === 'string') expect(html).toBe(expected)
    else expect(html.split('\n').map((line) => Number(/quote-(\d)/.exec(line)?.[1] ?? 0))).toEqual(expected)
  })

  test.each(['https://a' + '.'.repeat(500_000) + 'x', 'https://a('.repeat(50_000), '> '.repeat(300_000)])(
    'takes linear time for hostile input %#',
    (text) => expect(cpuTime(() => textToHtml(text))).toBeLessThan(1000),
  )

  test('textFrame truncates very long text', () => {
    expect(textFrame('x'.repeat(3_000_000)).length).toBeLessThan(600_000)
  })
})

test('frameCsp allows images of the site only with permission, and never scripts', () => {
  expect(frameCsp(false)).toContain('img-src data:;')
  expect(frameCsp(true)).toContain("img-src data: 'self';")
  expect(frameCsp(true)).toContain("default-src 'none'")
  expect(frameCsp(true)).not.toContain('allow-scripts')
  expect(frameCsp(true)).not.toContain('allow-same-origin')
})

describe('htmlToText', () => {
  test.each([
    ['<p>Your <b>code</b>:<br>482<i>913</i></p>', 'Your code:\n482913'],
    ['<td>a</td><td>b</td>', 'a\nb'],
    ['<pre>x\n  y</pre>', 'x\ny'],
    ['a&nbsp;&nbsp; b &lt;c&gt;', 'a b <c>'],
    ['<title>t</title><style>p{}</style><script>s</script><p>x</p>', 'x'],
    ['<div style="display:none">hidden<img src=x><br>too</div>shown', 'shown'],
    ['<div hidden>no</div>yes', 'yes'],
    ['<span style="font-size:0px">no</span><span style="font-size:0.8em">yes</span>', 'yes'],
    ['<td style="font-size:0px">no<div style="font-size:16px">yes</div>no</td><td>yes</td>', 'yes\nyes'],
    ['<td style="font-size:0px">no<p class="code">yes</p></td>', 'yes'],
    ['<div style="max-height:0;overflow:hidden">no</div><div style="opacity:0">no</div>yes', 'yes'],
    ['<p>a<p>b<p>c', 'a\n\nb\n\nc'],
    ['<!-- x -->a<![if !mso]>b<![endif]>', 'ab'],
    ['', ''],
  ])('converts %s', (html, text) => expect(htmlToText(html).replace(/\n+/g, '\n')).toBe(text.replace(/\n+/g, '\n')))

  test.each(['&nbsp;'.repeat(300_000), '<br> '.repeat(200_000), 'a '.repeat(500_000)])(
    'takes linear time for hostile input %#',
    (html) => expect(cpuTime(() => htmlToText(html))).toBeLessThan(1500),
  )
})
