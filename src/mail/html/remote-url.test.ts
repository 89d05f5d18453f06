import { expect, test } from 'vitest'
import { remoteUrl } from './remote-url.ts'

test.each([
  ['//a.example/x', 'https://a.example/x'],
  [' https://a.example/x ', 'https://a.example/x'],
  ['HTTP://A.example', 'http://a.example/'],
  ['https:\\\\a.example', 'https://a.example/'],
  ['x.png', undefined],
  ['/x.png', undefined],
  ['ftp://a.example/', undefined],
  ['javascript:x', undefined],
  ['data:image/png;base64,', undefined],
  ['file:///etc/passwd', undefined],
  ['https://', undefined],
  [`https://a.example/${'x'.repeat(4096)}`, undefined],
  [`https://a.example/${'x'.repeat(4078)}`, `https://a.example/${'x'.repeat(4078)}`],
  [`https://a.example/?${'字'.repeat(453)}`, `https://a.example/?${'%E5%AD%97'.repeat(453)}`],
  [`https://a.example/?${'字'.repeat(454)}`, undefined],
])('remoteUrl of %j is %s', (reference, url) => expect(remoteUrl(reference)).toBe(url))
