import { expect, test } from 'vitest'
import { isPressed } from './is-pressed.ts'

test.each([
  [{ key: 'Escape', isComposing: false, keyCode: 27 }, true],
  [{ key: 'Enter', isComposing: false, keyCode: 13 }, false],
  [{ key: 'Escape', isComposing: true, keyCode: 229 }, false],
  [{ key: 'Escape', isComposing: true, keyCode: 27 }, false],
  // Safari
  [{ key: 'Escape', isComposing: false, keyCode: 229 }, false],
])('%j is Escape that no input method uses: %j', (event, expected) => expect(isPressed('Escape', event)).toBe(expected))
