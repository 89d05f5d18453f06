import { expect, test } from 'vitest'
import { imageStyle } from './image-size.ts'
import { sanitizeMailHtml } from './sanitize.ts'

test.each<[string, Parameters<typeof imageStyle>[0], string, string]>([
  ['both', { width: '500', height: '4' }, '', 'aspect-ratio:500/4'],
  ['both with a unit', { width: ' 500px', height: '4.5px' }, '', 'aspect-ratio:500/4.5'],
  ['a color beside them', { width: '500', height: '4' }, 'color:red', 'aspect-ratio:500/4;color:red'],
  ['no size', {}, 'color:red', 'color:red'],
  ['only the width', { width: '500' }, '', ''],
  ['only the height', { height: '40' }, 'max-width:100%', 'object-fit:contain;max-width:100%'],
  ['no width, but a height', { width: '0', height: '20' }, '', 'object-fit:contain'],
  ['no height', { width: '500', height: '0' }, '', 'max-height:0px'],
  ['a width in percent', { width: '100%', height: '4' }, '', 'max-height:4px'],
  ['a height in percent', { width: '500', height: '100%' }, '', ''],
  ['words', { width: 'auto', height: 'auto' }, '', ''],
  ['a height and words', { width: 'auto', height: '40' }, '', 'object-fit:contain'],
  ['both as styles', {}, 'width:300px;height:8px', 'aspect-ratio:300/8;width:300px;height:8px;height:auto'],
  ['only the height as style', {}, 'height:8px', 'object-fit:contain;height:8px'],
  ['one of each', { height: '4' }, 'width:300PX', 'aspect-ratio:300/4;width:300PX'],
  [
    'an important height',
    { width: '600' },
    'height:300px!important',
    'aspect-ratio:600/300;height:300px!important;height:auto!important',
  ],
  ['a width of the page', {}, 'width:100%;height:4px', 'max-height:4px;width:100%;height:4px;height:auto'],
  [
    'a width of the page beside the attributes',
    { width: '600', height: '300' },
    'width:100%;max-width:600px',
    'aspect-ratio:600/300;width:100%;max-width:600px',
  ],
  ['the height of the image', { width: '600', height: '4' }, 'width:100%;height:auto', 'width:100%;height:auto'],
  ['the width of the image', { width: '600', height: '40' }, 'width:auto', 'object-fit:contain;width:auto'],
  [
    'numbers that browsers ignore',
    { width: '500', height: '4' },
    'width:7;height:7',
    'aspect-ratio:500/4;width:7;height:7',
  ],
  ['the choice of the author', { width: '5', height: '4' }, 'object-fit:cover', 'object-fit:cover'],
  ['the ratio of the author', { width: '5', height: '4' }, 'aspect-ratio:1', 'aspect-ratio:1'],
  ['other names', { width: '5' }, 'line-height:8px;max-height:8px', 'line-height:8px;max-height:8px'],
  ['the last of several', { width: '5' }, 'height:8px;height:auto', 'height:8px;height:auto'],
])('the style of an image with %s', (_, attributes, style, expected) => {
  expect(imageStyle(attributes, style)).toBe(expected)
})

test('images of a message have it, but not those with a map, whose areas are in pixels', () => {
  const clean = (html: string): string => sanitizeMailHtml(html).html
  expect(clean('<img width="500" height="4">')).toBe('<img width="500" height="4" style="aspect-ratio:500/4" />')
  expect(clean('<video width="500" height="4"></video>')).toContain('style="aspect-ratio:500/4"')
  expect(clean('<img width="500" height="4" usemap="#M">')).toBe('<img width="500" height="4" usemap="#mail-M" />')
  expect(clean('<img width="500">')).toBe('<img width="500" />')
  expect(clean('<table width="500" height="4"></table>')).not.toContain('style')
})
