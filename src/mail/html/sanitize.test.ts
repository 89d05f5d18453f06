import { describe, expect, test } from 'vitest'
import { sanitizeMailHtml } from './sanitize.ts'

const clean = (html: string): string => sanitizeMailHtml(html).html

describe('what a mail needs stays', () => {
  test.each([
    ['<table width="600" bgcolor="#ffffff"><tr><td align="center">x</td></tr></table>', undefined],
    ['<p style="color:red;font-size:32px">482913</p>', undefined],
    ['<style>.a > .b{color:red}@media (max-width:600px){.a{width:100%}}</style><p class="a">x</p>', undefined],
    [
      '<a href="https://a.example/x?y=1">x</a>',
      '<a href="https://a.example/x?y=1" target="_blank" rel="noopener noreferrer nofollow">x</a>',
    ],
    ['<a href="#top">x</a><p id="top">y</p>', '<a href="#mail-top">x</a><p id="mail-top">y</p>'],
    ['<b>a &lt; b &amp; c</b>', undefined],
  ])('%s', (html, expected) => {
    expect(clean(html)).toBe(expected ?? html)
  })

  test('inline images come from their parts', () => {
    const inline = new Map([['logo@x', 'data:image/png;base64,iVBORw0KGgo=']])
    const { html, hasRemoteContent } = sanitizeMailHtml('<img src="cid:logo@x" alt="x"><img src="cid:none">', {
      inline,
    })
    expect(html).toBe('<img alt="x" src="data:image/png;base64,iVBORw0KGgo=" /><img />')
    expect(hasRemoteContent).toBe(false)
  })
})

/** Each with the marker `evil` in what must not survive. */
const VECTORS = [
  '<script>evil()</script>',
  '<SCRIPT SRC=//evil.example></SCRIPT>',
  '<scr<script>ipt>evil()</script>',
  '<img src=x onerror=evil()>',
  '<img src="javascript:evil()">',
  '<a href="javascript:evil()">x</a>',
  '<a href=" java\nscript:evil()">x</a>',
  '<a href="jAvAsCrIpT:evil()">x</a>',
  '<a href="&#106;avascript:evil()">x</a>',
  '<a href="data:text/html,<script>evil()</script>">x</a>',
  '<a href="vbscript:evil()">x</a>',
  '<a href="\u0001javascript:evil()">x</a>',
  '<iframe src="https://evil.example"></iframe>',
  '<iframe srcdoc="<script>evil()</script>"></iframe>',
  '<object data="evil.swf"></object>',
  '<embed src="evil.swf">',
  '<form action="https://evil.example"><input name=evil><button>evil</button></form>',
  '<svg><script>evil()</script></svg>',
  '<svg onload=evil()>',
  '<svg><a xlink:href="javascript:evil()"><text>x</text></a></svg>',
  '<math href="javascript:evil()">x</math>',
  '<meta http-equiv="refresh" content="0;url=https://evil.example">',
  '<base href="https://evil.example">',
  '<link rel=stylesheet href="https://evil.example">',
  '<style>@import "https://evil.example";</style>',
  '<style>@import url(//evil.example);</style>',
  '<style>a{background:url(https://evil.example)}</style>',
  '<style>@font-face{font-family:x;src:url(https://evil.example)}</style>',
  '<style>a{b:expression(evil())}</style>',
  '<style>a{behavior:url(evil)}</style>',
  '<style>a{-moz-binding:url(evil)}</style>',
  '<style>a{background:u\\72l(https://evil.example)}</style>',
  '<style>a{background:image-set("https://evil.example" 1x)}</style>',
  '<style></style><img src=x onerror=evil()></style>',
  '<style><!--</style><script>evil()</script>--></style>',
  '<div style="background:url(https://evil.example)">x</div>',
  '<div style="background-image:\\75rl(https://evil.example)">x</div>',
  '<div style="width:expression(evil())">x</div>',
  '<div style="behavior:url(#evil)">x</div>',
  '<body onload=evil()>',
  '<body background="https://evil.example">',
  '<input onfocus=evil() autofocus>',
  '<details open ontoggle=evil()>x</details>',
  '<video src="https://evil.example" autoplay></video>',
  '<video poster="https://evil.example"></video>',
  '<audio src="https://evil.example"></audio>',
  '<picture><source srcset="https://evil.example"></picture>',
  '<img srcset="https://evil.example 1x">',
  '<img src="https://evil.example/t.gif">',
  '<img src="//evil.example/t.gif">',
  '<img src="http:evil.example">',
  '<table background="https://evil.example"><tr><td background="//evil.example">x</td></tr></table>',
  '<img lowsrc="https://evil.example" dynsrc="//evil.example">',
  '<marquee onstart=evil()>x</marquee>',
  '<isindex action="javascript:evil()">',
  '<bgsound src="https://evil.example">',
  '<layer src="https://evil.example"></layer>',
  '<noscript><p title="</noscript><img src=x onerror=evil()>"></noscript>',
  '<textarea><img src=x onerror=evil()></textarea>',
  '<title><img src=x onerror=evil()></title>',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=evil()&gt;">',
  '<template><script>evil()</script></template>',
  '<svg></p><style><a id="</style><img src=1 onerror=evil()>">',
  '<xmp><img src=x onerror=evil()></xmp>',
  '<plaintext><script>evil()</script>',
  '<!--><script>evil()</script>-->',
  '<![CDATA[<script>evil()</script>]]>',
  '<?xml-stylesheet href="evil"?>',
  '<img src="x` `<script>evil()</script>"` `>',
  '<a href="https://a.example" ping="https://evil.example">x</a>',
  '<link rel="dns-prefetch" href="//evil.example">',
  '<link rel="preconnect" href="//evil.example">',
  '<a href="https://a.example" onclick=evil() style="behavior:url(evil)">x</a>',
  '<img src="data:image/svg+xml;base64,PHN2ZyBvbmxvYWQ9ZXZpbCgpPg==evil">',
  '<div style="background:url(data:text/html;evil)">x</div>',
  '<portal src="https://evil.example"></portal>',
  '<style>a{content:attr(evil)}</style>',
  '<style>a{background:src("https://evil.example")}</style>',
  '<style>a{filter:url(https://evil.example#x)}</style>',
  '<style>a{cursor:url(//evil.example),auto}</style>',
  '<style>@namespace evil "https://evil.example";</style>',
  '<style>a{list-style:url(https://evil.example)}</style>',
  '<style>:root{--x:url(https://evil.example)}a{background:var(--x)}</style>',
  '<a target=_top href="evil:run">x</a>',
  '<frameset onload=evil()><frame src="https://evil.example"></frameset>',
  '<applet code=evil></applet>',
  '<dialog open onclose=evil()>x</dialog>',
]

describe('what runs, submits, loads or leaves goes', () => {
  test.each(VECTORS)('%s', (html) => {
    const output = clean(html).replace(/mail-evil/g, '')
    // What is left may show the word as plain text, never inside of a tag or a style sheet.
    const markup = [...output.matchAll(/<[^>]*>|<style>[^]*?<\/style>/g)].join('')
    expect(markup).not.toMatch(/evil|script|onerror/i)
    expect(output).not.toMatch(/<(?!\/?(?:a|p|b|img|div|style|table|tbody|tr|td|details|span)\b)/i)
  })

  test('there are enough of them', () => expect(VECTORS.length).toBeGreaterThan(80))
})

describe('remote content', () => {
  const html =
    '<img src="https://a.example/1.png"><div style="background:url(\'http://a.example/2.png\')">x</div><td background="//a.example/3.png">'

  test('is left out, and told', () => {
    const found = sanitizeMailHtml(html)
    expect(found.hasRemoteContent).toBe(true)
    expect(found.html).not.toContain('a.example')
  })

  test('comes through the proxy once it is wanted', () => {
    const asked: string[] = []
    const remote = (url: string) => `/proxy?u=${asked.push(url)}`
    const found = sanitizeMailHtml(`<style>p{background:url(https://a.example/0.png)}</style>${html}`, { remote })
    expect(asked).toEqual([
      'https://a.example/0.png',
      'https://a.example/1.png',
      'http://a.example/2.png',
      'https://a.example/3.png',
    ])
    expect(found.html).toContain('url("/proxy?u=1")')
    expect(found.html).toContain('src="/proxy?u=2"')
    expect(found.html).not.toContain('a.example')
  })
})

test('depth is bounded, size is not', () => {
  const wide = '<p style="color:red">x</p>'.repeat(20_000)
  expect(clean(wide).length).toBe(wide.length)
  expect(clean('<b>'.repeat(2000))).toContain('<b>')
  expect(() => clean('<b>'.repeat(2001))).toThrow(RangeError)
})
