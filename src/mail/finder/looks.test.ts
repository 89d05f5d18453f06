import { expect, test } from 'vitest'
import { readHtml } from '../html/to-text.ts'
import { collectLooks, lookOf } from './looks.ts'

function looksOf(html: string) {
  const looks = collectLooks()
  readHtml(html, [looks])
  return looks.result()
}

test.each([
  ['<p style="font-size:32px">604218</p>', { size: 32 }],
  ['<h2>Code <span style="font-size:2em">604218</span></h2>', { size: 32 }],
  ['<b>604-218</b>', { bold: true }],
  ['<code>604218</code>', { mono: true }],
  ['<td style="letter-spacing:6px">604218</td>', { spaced: true }],
  ['<div style="border:1px solid #ccc">604218</div>', { boxed: true }],
  ['<div style="background:#ffffff">604218</div>', { boxed: false }],
  ['<span class="otp-code">604218</span>', { named: true }],
  ['<style>.c{font-weight:700}</style><span class="c">604218</span>', { bold: true }],
  ['<font size="5">604218</font>', { size: 24 }],
])('%s', (html, look) => {
  expect(lookOf(looksOf(html), '604218')).toMatchObject(look)
})

test('text without styles has no look', () => expect(lookOf(looksOf('<p>604218</p>'), '604218')).toBeUndefined())

test('the usual size is that of most of the text', () => {
  const { usual, largest } = looksOf(
    '<p style="font-size:14px">Enter this code to sign in.</p><p style="font-size:30px">604218</p>',
  )
  expect({ usual, largest }).toEqual({ usual: 14, largest: 30 })
})

test('hidden text is the preheader', () =>
  expect(looksOf('<div style="display:none">Your code is 604218</div><p>Hello</p>').preheader).toBe(
    'Your code is 604218',
  ))

test.each([
  ['<div style="mso-hide:all;backface-visibility:hidden;font-size:30px">604218</div>', 30],
  ['<div style="--tw-bg-opacity:0;max-height:0;font-size:30px">604218</div>', 30],
  ['<style>.c{display:none}</style><div class="c" style="display:block;font-size:30px">604218</div>', 30],
  ['<head><meta charset="utf-8"><p style="font-size:30px">604218</p>', 30],
])('%s is visible', (html, size) => expect(looksOf(html).largest).toBe(size))
