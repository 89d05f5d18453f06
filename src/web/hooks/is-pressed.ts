/**
 * Whether a key was pressed that no input method uses: there, Escape and Enter end what it composes. Safari no longer calls that
 * composing, but gives the key the code that all browsers give to keys of input methods.
 */
export const isPressed = (key: string, event: Pick<KeyboardEvent, 'key' | 'isComposing' | 'keyCode'>): boolean =>
  event.key === key && !event.isComposing && event.keyCode !== 229
