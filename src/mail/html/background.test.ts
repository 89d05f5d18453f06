import { describe, expect, test } from 'vitest'
import { cpuTime } from '#test/support/program/cpu-time.ts'
import { htmlFrame } from './frame.ts'
import { sanitizeMailHtml } from './sanitize.ts'

const backgroundOf = (attributes: string): string | null => sanitizeMailHtml(`<body ${attributes}>x</body>`).background
const styled = (style: string): string | null => backgroundOf(`style='${style}'`)

test.each([
  ['background-color:#f6f9fc', '#f6f9fc'],
  ['BACKGROUND-COLOR : #F6F9FC !important;margin:0', '#f6f9fc'],
  ['background:#101418;color:#e6e6e6', '#101418'],
  ['background:#101418 url(https://a.example/x.png) no-repeat top center / cover', '#101418'],
  ['background:url(data:image/png;base64,AA==) #222', '#222'],
  ['background:linear-gradient(rgb(1,2,3), red), RebeccaPurple', 'rebeccapurple'],
  ['background:rgb(246, 249, 252)', 'rgb(246, 249, 252)'],
  ['background:rgba(246,249,252,1)', 'rgba(246,249,252,1)'],
  ['background:hsl(210deg 50% 98% / 100%)', 'hsl(210deg 50% 98% / 100%)'],
  ['background:#f6f9fcff', '#f6f9fcff'],
  ['background-color:red;background-color:blue', 'blue'],
  ['background-color:red!important;background-color:blue', 'red'],
  ['background-color:red;background-image:none', 'red'],
])('%j has the color %s', (style, color) => expect(styled(style)).toBe(color))

test.each([
  'color:red',
  'background:none',
  'background:transparent',
  'background-color:currentColor',
  'background-color:inherit',
  'background-color:rgba(0,0,0,.5)',
  'background-color:rgb(0 0 0 / 0%)',
  'background-color:#0008',
  'background-color:#00000080',
  'background:linear-gradient(red, blue)',
  'background-color:red;background:none',
  'background:no-repeat center',
])('%j has none', (style) => expect(styled(style)).toBeNull())

test.each([
  ['bgcolor="#222222" text="#ffffff"', '#222222'],
  ['bgcolor="f6f9fc"', '#f6f9fc'],
  ['bgcolor=" #222222 "', '#222222'],
  ['bgcolor="White"', 'white'],
  ['bgcolor="#222222" style="background-color:#f6f9fc"', '#f6f9fc'],
  ['bgcolor="red;}*{color:red"', null],
  ['bgcolor="</style><script>alert(1)</script>"', null],
])('the attributes %j have the color %s', (attributes, color) => expect(backgroundOf(attributes)).toBe(color))

test.each([
  'red}*{display:none',
  'red;}</style><img src=x onerror=alert(1)>',
  'red</style>',
  'var(--x)',
  'url(https://a.example/x)',
  'rgb(0,0,0,url(https://a.example/x))',
  'expression(alert(1))',
  'rgb(1,2,3',
  'image-set(url(https://a.example/x) 1x)',
  '\\72 ed',
  'red/**/url(https://a.example/x)',
  'env(x)',
  'rgb(calc(1),2,3)',
  'attr(title)',
  'javascript:alert(1)',
  '"red"',
  '#12345',
  'light-dark(red,blue)',
])('nothing but a color passes: %j', (value) => {
  for (const property of ['background', 'background-color']) {
    const color = styled(`${property}:${value}`)
    expect(color ?? 'red').toMatch(/^[a-z]+$/)
  }
})

test.each(['(', 'a(', 'a(b(', 'rgb(', '()', 'red ', 'red,', 'url("', 'url("")', '#', '/', 'rgb(1 ', 'a:b;', 'a(()'])(
  'a background of nothing but %j takes linear time',
  { tags: ['slow'] },
  (unit) => {
    const value = unit.repeat(400_000 / unit.length)
    expect(cpuTime(() => styled(`background:${value}`))).toBeLessThan(1000)
    expect(cpuTime(() => styled(`background:${value})`))).toBeLessThan(1000)
  },
)

describe('the frame', () => {
  const frame = (html: string): string => {
    const { html: shown, ...look } = sanitizeMailHtml(html)
    return htmlFrame(shown, look)
  }

  test('has the background of the body in its padding too', () =>
    expect(frame('<body style="background:#101418;color:#eee">x</body>')).toContain(
      'html, :root > body { background-color: #101418 }',
    ))

  test.each([
    ['<p>x</p>', null],
    ['<table bgcolor="#222222"><tr><td>x</table>', null],
    [
      '<html><head><title>x</title></head> <body bgcolor="#222222">x</body>&nbsp;\n</html> <img src="cid:x">',
      '#222222',
    ],
    ['<body bgcolor="#222222"><blockquote><body bgcolor="#333333">x</body></blockquote>y</body>', '#222222'],
    ['<body>y<blockquote><body bgcolor="#333333">x</body></blockquote></body>', null],
    // Text outside of the body does not have its color, and could be dark on dark.
    ['<body bgcolor="#222222" text="#ffffff">x</body><p>List footer</p>', null],
    ['<p>External</p><html><body bgcolor="#222222" text="#ffffff">x</body></html>', null],
    ['<body bgcolor="#222222" text="#ffffff">x</body><body>y</body>', null],
  ])('is white unless all text is in the first body: %s', (html, color) => {
    expect(sanitizeMailHtml(html).background).toBe(color)
    expect(frame(html).includes(':root > body')).toBe(color !== null)
  })
})
