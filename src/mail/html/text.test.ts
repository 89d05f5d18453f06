import { describe, expect, test } from 'vitest'
import { cpuTime } from '#test/support/program/cpu-time.ts'
import { frameCsp } from './frame-csp.ts'
import { textFrame } from './frame.ts'
import { textToHtml } from './text.ts'
import { htmlToText, textOfHtml } from './to-text.ts'

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
    // Outlook alone reads `mso-hide`. These names only end like one that hides.
    ['<a style="background:#49a9ce;display:inline-block;mso-hide:all;">yes</a>', 'yes'],
    ['<div style="-webkit-backface-visibility:hidden;backface-visibility:hidden">yes</div>', 'yes'],
    ['<p style="--tw-bg-opacity:0;--tw-text-opacity:0;fill-opacity:0">yes</p>', 'yes'],
    ['<p style="--display:none;x-max-height:0;overflow:hidden">yes</p>', 'yes'],
    ['<p style="/* display:none; */color:red">yes</p>', 'yes'],
    ['<p style="display:none;color:{{ color }}">yes</p>', 'yes'],
    // The last declaration counts, unless an earlier one is important.
    ['<p style="display:none;display:block">yes</p><p style="display:block;display:none">no</p>', 'yes'],
    ['<p style="display:none!important;display:block">no</p><p style="display:none !important">no</p>yes', 'yes'],
    ['<p style="display:none;display:nothing">no</p><p style="opacity:0;opacity:1">yes</p>', 'yes'],
    ['<p style="font-size:0;font-size:16px">yes</p><p hidden style="display:block">too</p>', 'yes\ntoo'],
    // Visibility is inherited, and an element may be visible again.
    ['<div style="visibility:hidden">no<b style="visibility:visible">yes</b>no</div>', 'yes'],
    ['<div style="visibility:collapse">no<b style="color:red">no</b></div>yes', 'yes'],
    ['<div style="display:none"><b style="visibility:visible;display:block">no</b></div>yes', 'yes'],
    ['<div style="opacity:.0">no<b style="opacity:1">no</b></div><div style="opacity:0%">no</div>yes', 'yes'],
    ['<div style="opacity:0.5">yes</div><div style="opacity:0.05">too</div>', 'yes\ntoo'],
    // A box without a height cuts off what is in it.
    ['<div style="max-height:0">yes</div><div style="max-height:0px;overflow:visible">too</div>', 'yes\ntoo'],
    ['<div style="height:0;overflow-y:hidden">no</div><div style="overflow:hidden;height:0.0px">no</div>yes', 'yes'],
    ['<div style="height:0;overflow:hidden;padding-bottom:56%">yes</div><p style="line-height:0">too</p>', 'yes\ntoo'],
    ['<div style="max-height:0.5em;overflow:hidden">yes</div><td height="0">too</td>', 'yes\ntoo'],
    // Outside of the page, or cut to nothing.
    ['<div style="position:absolute;left:-9999px">no</div><p style="position:absolute;top:-999em">no</p>yes', 'yes'],
    [
      '<p style="text-indent:-9999px">no</p><p style="text-indent:-18pt">yes</p><p style="left:-9999px">too</p>',
      'yes\ntoo',
    ],
    [
      '<p style="position:absolute;clip:rect(0,0,0,0)">no</p><p style="position:absolute;clip:rect(1px 1px 1px 1px)">no</p>yes',
      'yes',
    ],
    ['<p style="clip:rect(0,0,0,0)">yes</p><p style="clip-path:inset(50%)">no</p>', 'yes'],
    // Animations are removed, so what they would show is shown.
    ['<p style="opacity:0;animation:in 1s forwards">yes</p><p style="opacity:0;animation:none">no</p>', 'yes'],
    // The size that the shorthand sets. Sizes that depend on the one around them are 0 in text of size 0.
    ['<td style="font-size:0"><span style="font:bold 24px Arial">yes</span></td>', 'yes'],
    ['<p style="font:0/0 a">no</p><p style="font: 0 a">no</p><p style="font:italic 700 0px/1 serif">no</p>yes', 'yes'],
    [
      '<p style="font:inherit">yes</p><p style="font:700 1em/1.5 a">too</p><p style="font:bold">three</p>',
      'yes\ntoo\nthree',
    ],
    [
      '<td style="font-size:0"><i style="font-size:1em">no</i><b style="font:inherit">no</b><u style="font-size:1rem">yes</u></td>',
      'yes',
    ],
    [
      '<p style="font-size:0.1px">no</p><p style="font-size:medium">yes</p><p style="font-size:1px">too</p>',
      'yes\ntoo',
    ],
    ['<p>a<p>b<p>c', 'a\n\nb\n\nc'],
    ['<!-- x -->a<![if !mso]>b<![endif]>', 'ab'],
    ['', ''],
  ])('converts %s', (html, text) => expect(htmlToText(html).replace(/\n+/g, '\n')).toBe(text.replace(/\n+/g, '\n')))

  test.each([
    ['<span style="display:block">Your code is</span><b style="display:block">482913</b>', 'Your code is\n482913'],
    ['<b style="DISPLAY : BLOCK">482913</b>10 minutes', '482913\n10 minutes'],
    [
      'a<i style="display:flex">b</i>c<i style="display:grid">d</i>e<i style="display:list-item">f</i>',
      'a\nb\nc\nd\ne\nf',
    ],
    ['<i style="display:table"><i style="display:table-cell">a</i><i style="display:table-cell">b</i></i>c', 'a\nb\nc'],
    ['<a style="display:inline">a</a>b<span style="display:block;display:inline">c</span>', 'abc'],
    ['<p style="display:block">a</p><p style="display:block">b</p>', 'a\nb'],
    // Boxes beside each other are words, unless each has one character, or no space would be between such words.
    ['<b style="display:inline-block">482913</b><i style="display:inline-block">Valid</i>', '482913 Valid'],
    ['<a style="display:inline-block">here</a>, or <a style="display:inline-block">there</a>.', 'here, or there.'],
    ['<b style="display:inline-block">4</b><b style="display:inline-block">8</b><b style="float:left">2</b>', '482'],
    [
      '<i style="display:inline-block">認証コードを</i><i style="display:inline-block">入力する</i>',
      '認証コードを入力する',
    ],
    ['<span style="float:left">Code</span><span style="float:right">482913</span>', 'Code 482913'],
    ['<div style="display:flex"><span>Code</span><span><b>48</b>2913</span></div><i>a</i><i>b</i>', 'Code 482913\nab'],
    ['482913<sup>1</sup> H<sub>2</sub>O 10<sup>th</sup> x<sup>2</sup>', '482913 1 H2O 10th x2'],
    // What is not displayed begins no line.
    ['482<div style="display:none">000<p>1</p></div>913', '482913'],
    ['a<div style="opacity:0">no</div>b', 'a\nb'],
    // The head ends where browsers end it.
    ['<head><meta charset=utf-8><title>no</title><p>yes</p><p>too</p>', 'yes\ntoo'],
    ['<html><head><style>no{}</style>yes<b>!</b></head><p>too</p></html>', 'yes!\ntoo'],
    ['<head>\n<title>no</title>\n<noscript>no</noscript></head>yes', 'yes'],
    ['<head>x<head>y</head></head><div style="display:none">no</div><p>yes</p>', 'xy\nyes'],
    ['<html><head><title>no</title></head><p>a<html><head><title>no</title></head><p>b</html>', 'a\nb'],
    // A space separates a box from the text beside it only if both touch with whole words.
    ['<span style="float:left">O</span>nce <span style="display:inline-block">B</span>rindle', 'Once Brindle'],
    ['item<i style="display:inline-block">s</i> bri<i style="display:inline-block">ndle</i>', 'items brindle'],
    ['인증<b style="display:inline-block">번호</b>는', '인증번호는'],
    ['<b style="display:inline-block">4</b><b style="display:inline-block">82913</b>', '482913'],
    // Only boxes outside of tables have a height, and a minimum wins.
    ['<div style="height:0;overflow:hidden">no</div><span style="height:0;overflow:hidden">yes</span>', 'yes'],
    ['<td style="height:0;overflow:hidden">yes</td>', 'yes'],
    ['<div style="height:0;min-height:40px;overflow:hidden">yes</div>', 'yes'],
    ['<span style="display:block;max-height:0;overflow:hidden">no</span>', ''],
    ['<input value="no" style="font-size:0">a', 'a'],
    ['<noscript><p>yes</p></noscript><object data="x"><p>too</p></object>', 'yes\ntoo'],
    ['<template>no</template><select><option>no</option></select><details><summary>a</summary>b</details>', 'a\nb'],
    // The values of fields
    [
      '<p>Code</p><input value="482913" readonly><input type="hidden" value="no"><input type=checkbox value=no>',
      'Code\n482913',
    ],
    ['<input value=4><input value=8> <input value=2>', '48 2'],
    ['<p>Code</p><textarea>482913\n<b>a</b></textarea>', 'Code\n482913\n<b>a</b>'],
    ['<input value="no" style="display:none"><input hidden value=no><input type="PASSWORD" value="no">a', 'a'],
  ])('reads the lines of %s', (html, text) => expect(htmlToText(html).replace(/\n+/g, '\n')).toBe(text))

  test.each(['&nbsp;'.repeat(300_000), '<br> '.repeat(200_000), 'a '.repeat(500_000), '<head>x'.repeat(50_000)])(
    'takes linear time for hostile input %#',
    (html) => expect(cpuTime(() => textOfHtml(html))).toBeLessThan(1500),
  )
})
