import { describe, expect, test } from 'vitest'
import { keyOf } from './shortcuts.ts'

const pressed = (
  key: string,
  code: string,
  { alt = false, ctrl = false, meta = false, shift = false, altGraph = false, isApple = false } = {},
) =>
  keyOf(
    {
      key,
      code,
      altKey: alt,
      ctrlKey: ctrl,
      metaKey: meta,
      shiftKey: shift,
      getModifierState: (name) => name === 'AltGraph' && altGraph,
    },
    isApple,
  )

describe('the key of a shortcut', () => {
  test.each([
    ['j', 'KeyJ', {}, 'j'],
    ['j', 'KeyC', {}, 'j'],
    // Caps Lock
    ['J', 'KeyJ', {}, 'j'],
    ['#', 'Digit3', { shift: true }, '#'],
    // AltGr on Windows, on Linux, and Option
    ['#', 'Digit3', { alt: true, ctrl: true, altGraph: true }, '#'],
    ['#', 'Quote', { altGraph: true }, '#'],
    ['#', 'Digit3', { alt: true, isApple: true }, '#'],
    ['о', 'KeyJ', {}, 'j'],
    ['ξ', 'KeyJ', {}, 'j'],
    ['ت', 'KeyJ', {}, 'j'],
    ['ח', 'KeyJ', {}, 'j'],
    ['จ', 'KeyU', {}, 'u'],
    ['่', 'KeyJ', {}, 'j'],
    ['№', 'Digit3', { shift: true }, '#'],
    ['Delete', 'Delete', {}, '#'],
    ['؟', 'Slash', { shift: true }, '?'],
    ['/', 'Digit7', { shift: true }, '/'],
  ])('%s on %s %j is %s', (key, code, modifiers, expected) => expect(pressed(key, code, modifiers)).toBe(expected))

  test.each([
    ['j', 'KeyJ', { ctrl: true }],
    ['j', 'KeyJ', { alt: true }],
    ['c', 'KeyC', { meta: true }],
    ['о', 'KeyJ', { ctrl: true }],
    ['J', 'KeyJ', { shift: true }],
    ['#', 'Digit3', { alt: true }],
    ['Delete', 'Delete', { shift: true }],
    ['Delete', 'Delete', { altGraph: true }],
    ['Delete', 'Delete', { alt: true, ctrl: true, altGraph: true }],
    ['Delete', 'Delete', { alt: true, isApple: true }],
    // A letter that AltGr or Option makes
    ['ć', 'KeyC', { alt: true, ctrl: true, altGraph: true }],
    ['∆', 'KeyJ', { alt: true, isApple: true }],
    ['j', 'KeyJ', { alt: true, ctrl: true, isApple: true }],
  ])('%s on %s %j is none', (key, code, modifiers) => expect(pressed(key, code, modifiers)).toBeUndefined())

  test.each([
    ['ü', 'KeyU'],
    ['ArrowDown', 'ArrowDown'],
    ['Process', 'KeyJ'],
    ['Dead', 'KeyU'],
  ])('%s on %s is no letter', (key, code) => expect(pressed(key, code)).not.toMatch(/^[a-z#]$/))
})
