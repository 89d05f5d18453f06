import { describe, expect, test } from 'vitest'
import { TRACKERS } from '#test/fixtures/mail/trackers.ts'
import { violations } from '#test/fixtures/mail/violations.ts'
import { XSS_VECTORS } from '#test/fixtures/mail/xss.ts'
import { linksOf } from './links.ts'
import { sanitizeMailHtml } from './sanitize.ts'

const inline = new Map([['x', 'data:image/png;base64,iVBORw0KGgo=']])
const clean = (html: string): string => sanitizeMailHtml(html, { inline }).html

describe('layout', () => {
  test.each([
    ['<table width="600" bgcolor="#ffffff"><tr><td align="center">x</td></tr></table>', undefined],
    ['<p style="color:red;font-size:32px">482913</p>', undefined],
    ['<style>.a > .b{color:red}@media (max-width:600px){.a{width:100%}}</style><p class="a">x</p>', undefined],
    ['<a href="https://a.example/x?y=1">x</a>', undefined],
    ['<a href="#top">x</a><p id="top">y</p>', '<a href="#mail-top">x</a><p id="mail-top">y</p>'],
    [
      '<img usemap="#M" alt="x"><map name="M" id="M"><area href="https://a.example/x" alt="y" shape="rect" coords="0,0,9,9"></map>',
      '<img alt="x" usemap="#mail-M" /><map id="mail-M" name="mail-M"><area alt="y" shape="rect" coords="0,0,9,9" href="https://a.example/x" target="_blank" rel="noopener noreferrer nofollow" /></map>',
    ],
    ['<img usemap="https://a.example/#M"><map><area href="javascript:evil()"></map>', '<img /><map><area /></map>'],
    ['<b>a &lt; b &amp; c</b>', undefined],
    ['<a href="mailto:a@b.example">x</a><a href="tel:+123">y</a>', undefined],
    ['<style>#top{color:red}</style><p id="top">x</p>', '<style>#mail-top{color:red}</style><p id="mail-top">x</p>'],
    ['<style>a{color:red</style><style>b{color:blue}</style>', '<style>a{color:red}b{color:blue}</style>'],
    // An error in a style sheet affects only the rule or declaration that has it.
    ...[
      ['@media (hover){a{top:0}b{color:red}', '@media (hover){a{top:0}b{color:red}}'],
      ['a{top:0}} b{color:red}', 'a{top:0}b{color:red}'],
      ['a{top:0} // comment\n b{left:0} i{color:red}', 'a{top:0}// comment  b{left:0}i{color:red}'],
      ['a{color red;top:0}b{color:red}', 'a{top:0}b{color:red}'],
      ['a{// x\ntop:0;left:0}', 'a{left:0}'],
      ['a{top:0}b{color:red}/* c{left:0}', 'a{top:0}b{color:red}'],
      ['{{ x }} a{color:{{ color }};top:0}b{left:{{ y }}}i{right:0}', 'a{top:0}b{}i{right:0}'],
      ['a{content:"x\n;top:0;color:red}b{left:0}', 'a{top:0;color:red}b{left:0}'],
      ['a[b{top:0}]{top:0}i{left:0}', 'i{left:0}'],
      ['a{color:rgb(0;top:0}b{left:0}', 'a{}'],
      ['a{*top:0;left:0}', 'a{left:0}'],
      ['<!-- a{top:0} -->', 'a{top:0}'],
      ['.a-->b{top:0}', '.a-->b{top:0}'],
    ].map(([css = '', expected = '']): [string, string] => [`<style>${css}</style>x`, `<style>${expected}</style>x`]),
    ['<p style="color:red;junk;width:10px">x</p>', '<p style="color:red;width:10px">x</p>'],
    ['<p style="/* x */color:/* y */red!important">x</p>', '<p style="color:red!important">x</p>'],
    [
      '<body bgcolor="#eee" text="#111" style="margin:0">x</body>',
      '<div bgcolor="#eee" style="background-color:#eee;color:#111;margin:0">x</div>',
    ],
    ['<style>@media (prefers-color-scheme:dark){a{color:#fff}}a{color:#000}</style>x', '<style>a{color:#000}</style>x'],
    [
      '<style media="only screen and (max-width:480px)">.a{display:none}</style><p class="a">x</p>',
      '<style>@media only screen and (max-width:480px){.a{display:none}}</style><p class="a">x</p>',
    ],
    [
      '<style media=" ">a{color:red}</style><style MEDIA="print">b{top:0}</style>x',
      '<style>a{color:red}@media print{b{top:0}}</style>x',
    ],
    [
      '<style>@media (prefers-color-scheme:light){a{color:#111}}</style><style media="screen and ( prefers-color-scheme : light )">b{top:0}</style>x',
      '<style>@media (min-width:0){a{color:#111}}@media screen and (min-width:0){b{top:0}}</style>x',
    ],
    ['<style media="(prefers-color-scheme: dark)">a{color:#fff}</style>x', 'x'],
    ...[
      '(width <= 600px)',
      '(400px<=width<=700px)',
      '(width<600px)',
      '(min-width: calc(10px + (1em * 2)))',
      'not ((hover) or (color))',
    ].map((query): [string, string] => [
      `<style media="${query}">a{top:0}</style><style>@media ${query}{b{top:0}}</style>x`,
      `<style>@media ${query}{a{top:0}}@media ${query}{b{top:0}}</style>x`,
    ]),
    [
      '<style media="screen /* x */ and (hover)">a{top:0}</style>x',
      '<style>@media screen   and (hover){a{top:0}}</style>x',
    ],
    ...['/* x', '(width </style)', '(a<b)', '<!--', '(a;b)', 'a\\7b', '(a))(', '@import', 'screen */ {}'].map(
      (query): [string, string] => [`<style media="${query}">a{top:0}</style>x`, 'x'],
    ),
    [
      '<style media="screen{}*">a{color:red}</style><style media="(a">b{top:0}</style><style media="a)(">i{top:0}</style>x',
      'x',
    ],
    [
      '<html xmlns="x" lang="ja" dir="rtl" class="a" style="color:red" onclick="evil()"><body dir="rtl">x</body></html>',
      '<div lang="ja" dir="rtl" class="a" style="color:red"><div dir="rtl">x</div></div>',
    ],
    ['<html xmlns="x" onclick="evil()"><body>x</body></html>', '<div>x</div>'],
    ['<p hidden>x</p><p hidden="until-found">y</p>', '<p hidden="hidden">x</p><p hidden="hidden">y</p>'],
    ['<a href="//a.example/x">x</a>', '<a href="https://a.example/x">x</a>'],
  ])('is kept: %s', (html, expected) => {
    const link = /<a href="(?=https?:|mailto:|tel:)[^"]*"(?! target)/g
    expect(clean(html)).toBe((expected ?? html).replace(link, `$& target="_blank" rel="noopener noreferrer nofollow"`))
  })

  test('shows inline images from their parts', () => {
    const { html, hasRemoteContent } = sanitizeMailHtml('<img src="cid:x" alt="x"><img src="cid:none">', { inline })
    expect(html).toBe('<img alt="x" src="data:image/png;base64,iVBORw0KGgo=" /><img />')
    expect(hasRemoteContent).toBe(false)
  })
})

describe('content that runs, submits, loads or leaves the frame', () => {
  test.each(XSS_VECTORS)('is removed: %s', (html) => {
    const output = clean(html).replace(/mail-evil/g, '')
    expect(violations(output)).toEqual([])
    // The words may remain as plain text, also in `alt` and `title`, but not elsewhere in a tag or a style sheet.
    const markup = [...output.matchAll(/<[^>]*>|<style>[^]*?<\/style>/g)]
      .join('')
      .replace(/ (?:alt|title)="&(?:quot|lt);[^"<>]*"/g, '')
    expect(markup).not.toMatch(/evil|script|onerror/i)
  })

  test('is removed from one message with all vectors', () => {
    expect(violations(clean(XSS_VECTORS.join('\n')))).toEqual([])
    expect(violations(clean(XSS_VECTORS.toReversed().join('')))).toEqual([])
  })

  test('is tested with more than 130 vectors', () => expect(new Set(XSS_VECTORS).size).toBeGreaterThan(130))

  test('is found by `violations`', () => {
    const bad = [
      '<script>x</script>',
      '<p onclick="x">',
      '<a href="javascript:x">',
      '<a href="https://a.example">',
      '<img src="https://a.example/x.png">',
      '<img src="data:image/svg+xml;base64,x">',
      '<p style="background:url(x)">',
      '<p style="position:fixed">',
      '<style>@import "x"</style>',
      '<p id="login">',
      '<form>',
    ]
    for (const html of bad) expect(violations(html), html).not.toEqual([])
  })
})

describe('trackers', () => {
  test.each(TRACKERS)('are removed: %s', (_name, html) => {
    const output = clean(html)
    expect(violations(output)).toEqual([])
    expect(output).not.toContain('tracker.example')
  })

  test.each(TRACKERS)('are loaded only through the proxy: %s', (_name, html) => {
    const output = sanitizeMailHtml(html, { remote: () => '/proxy?u=x' }).html
    expect(violations(output)).toEqual([])
    expect(output).not.toContain('tracker.example')
  })

  test('are tested with more than 60 examples', () => expect(TRACKERS.length).toBeGreaterThan(60))
})

describe('remote content', () => {
  const html =
    '<img src="https://a.example/1.png"><div style="background:url(\'http://a.example/2.png\')">x</div><td background="//a.example/3.png">'

  test('is removed and reported', () => {
    const found = sanitizeMailHtml(html)
    expect(found.hasRemoteContent).toBe(true)
    expect(found.html).not.toContain('a.example')
  })

  test('is rewritten to the proxy if allowed', () => {
    const urls: string[] = []
    const remote = (url: string) => `/proxy?u=${urls.push(url)}`
    const found = sanitizeMailHtml(`<style>p{background:url(https://a.example/4.png)}</style>${html}`, { remote })
    expect(urls).toEqual([
      'https://a.example/1.png',
      'http://a.example/2.png',
      'https://a.example/3.png',
      'https://a.example/4.png',
    ])
    expect(found.html).toContain('url("/proxy?u=4")')
    expect(found.html).toContain('src="/proxy?u=1"')
    expect(found.html).not.toContain('a.example')
  })
})

test.each([
  ['<p style="color:#111">x</p>', true],
  ['<p style="-webkit-text-fill-color:#111">x</p>', true],
  ['<style>p{-webkit-text-stroke:1px #111}</style><p>x</p>', true],
  ['<style>p{filter:invert(1)}</style><p>x</p>', true],
  ['<font color="#111">x</font>', true],
  ['<p style="font-size:20px;text-align:left">x</p>', false],
])('knows whether a message sets colors: %s', (html, colored) => expect(sanitizeMailHtml(html).colored).toBe(colored))

test.each([
  ['<p>x</p>', 'ltr'],
  ['<div dir="rtl">x</div>', 'ltr'],
  ['<html dir="RTL"><body><p>x</p>', 'rtl'],
  ['<html dir="ltr"><body dir="rtl">x', 'rtl'],
  ['<html dir="rtl"><body dir="ltr">x', 'ltr'],
  ['<html dir="rtl"><body dir="left">x', 'rtl'],
  ['<html dir="rtl"><body dir="auto">x', 'auto'],
  ['<body dir="rtl">x</body><body dir="ltr">y</body>', 'rtl'],
  // Without a direction, that of most letters.
  ['<p><a href="https://x.example">العربية</a> | English</p><p>Hello John, your order is on its way!</p>', 'ltr'],
  ['<div style="display:none">שלום לכולם, זה טקסט מוסתר</div><p>Hello John</p>', 'ltr'],
  ['<p>Wix</p><p>שלום יוסי, ההזמנה שלך בדרך</p>', 'rtl'],
  ['<p>&#1513;&#1500;&#1493;&#1501;</p>', 'rtl'],
  [
    '<p>رمز التحقق: 482913</p><p>https://accounts.shop.example/verify?token=abcdefghijklmnop help@shop.example</p>',
    'rtl',
  ],
  ['<p>ޝުކުރިއްޔާ</p>', 'rtl'],
  ['<p>482913</p>', 'ltr'],
  ['<style>p::before{content:"\u05d0"}</style><p>x</p>', 'ltr'],
])('knows the direction of the whole message: %s', (html, dir) => expect(sanitizeMailHtml(html).dir).toBe(dir))

describe('beyond the depth that is shown', () => {
  const rows = Array.from(
    { length: 260 },
    (_, i) => `<font color="red">Row ${i} <a href="https://x.example/${i}">open</a><br>`,
  )

  test('links, line breaks and images stay, as in a report whose elements are never closed', () => {
    const html = clean(`${rows.join('')}<img alt="end" src="cid:x"><hr>`)
    expect(
      html.match(/<a href="https:\/\/x\.example\/\d+" target="_blank" rel="[^"]*">open<\/a><br \/>/g),
    ).toHaveLength(260)
    expect(html).toContain('<img alt="end" src="data:image/png;base64,iVBORw0KGgo=" /><br />')
    expect(html.match(/<font/g)?.length).toBe(200)
    expect(violations(html)).toEqual([])
  })

  test('blocks are lines', () => {
    const html = clean(
      `${'<blockquote>'.repeat(200)}<div>a</div><p style="color:red">b<i>c</i></p><table><tr><td>d</td></tr></table>e`,
    )
    expect(html.replaceAll(/<\/?blockquote>/g, '')).toBe('<br />a<br />bc<br />d<br />e')
    expect(violations(html)).toEqual([])
  })

  test('what is closed again is shown in full', () =>
    expect(clean(`${'<div>'.repeat(201)}<b>x</b>${'</div>'.repeat(201)}<b>y</b><basefont size="7">z`)).toMatch(
      /<\/div><b>y<\/b>z$/,
    ))
})

test('limits depth, but not size', () => {
  const wide = '<p style="color:red">x</p>'.repeat(20_000)
  expect(clean(wide).length).toBe(wide.length)
  expect(clean('<b>'.repeat(2000))).toContain('<b>')
  expect(() => clean('<b>'.repeat(2001))).toThrow(RangeError)
})

describe('fields are shown as their text', () => {
  const shownIn = (html: string): string =>
    clean(html).replace(/ style="[^"]*font:13\.3px Arial,sans-serif/g, ' style="')
  test.each([
    ['<input value="482913" readonly>', '<span value="482913" style="">482913</span>'],
    [
      '<input type="submit" value="Send" style="border:none">',
      '<span type="submit" value="Send" style=";border:none">Send</span>',
    ],
    [
      '<b><input value="4"></b> <input value="8" class="d">x',
      '<b><span value="4" style="">4</span></b> <span value="8" class="d" style="">8</span>x',
    ],
    ['<textarea rows="2">482913\nb</textarea>x', '<span style=";white-space:pre-wrap">482913\nb</span>x'],
    [
      '<input type="hidden" value="no"><input type="Password" value="no"><input><input type="checkbox" value="no">x',
      'x',
    ],
    [
      '<input value="<script>evil()</script>">',
      '<span value="&lt;script&gt;evil()&lt;/script&gt;" style="">&lt;script&gt;evil()&lt;/script&gt;</span>',
    ],
    [
      '<textarea><script>evil()</script></textarea>',
      '<span style=";white-space:pre-wrap">&lt;script&gt;evil()&lt;/script&gt;</span>',
    ],
    ['<form action="https://a.example"><button formaction="https://b.example">Send</button></form>', 'Send'],
    [
      '<noscript><p onclick="evil()">yes</p></noscript><object data="x"><param name="a" value="no"><b>too</b></object>',
      '<p>yes</p><b>too</b>',
    ],
    [
      '<noscript><p title="</noscript><img src=x onerror=evil()>"></noscript>',
      '<p title="&lt;/noscript&gt;&lt;img src=x onerror=evil()&gt;"></p>',
    ],
  ])('%s', (html, expected) => {
    expect(shownIn(html)).toBe(expected)
    expect(violations(clean(html))).toEqual([])
  })

  test('their text is checked as that of a link, and has no overrides of the direction', () => {
    const html = clean('<a href="https://evil.example"><input value="www.paypal.com\u202e"></a>')
    expect(html).not.toContain('\u202e')
    expect(linksOf(html, null)).toMatchObject([{ text: 'www.paypal.com', named: 'www.paypal.com' }])
  })

  test('they are shown where elements are nested too deep', () => {
    expect(clean(`${'<b>'.repeat(250)}<input value="482913">`)).toContain('482913')
  })
})
