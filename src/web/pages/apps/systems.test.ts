import { expect, test } from 'vitest'
import { systemOf } from './systems.ts'

const MAC = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit'

test.each([
  [
    'iPhone',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1',
    5,
    'apple-mobile',
  ],
  ['iPad', `${MAC}/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15`, 5, 'apple-mobile'],
  ['Safari', `${MAC}/605.1.15 (KHTML, like Gecko) Version/19.0 Safari/605.1.15`, 0, 'mac-safari'],
  ['Chrome on a Mac', `${MAC}/537.36 (KHTML, like Gecko) Chrome/150.0.0.0 Safari/537.36`, 0, 'chromium'],
  [
    'Chrome on Android',
    'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 Chrome/150.0.0.0 Mobile Safari/537.36',
    5,
    'android',
  ],
  ['Firefox on Android', 'Mozilla/5.0 (Android 16; Mobile; rv:150.0) Gecko/150.0 Firefox/150.0', 5, 'android'],
  [
    'Edge',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/150.0.0.0 Safari/537.36 Edg/150.0',
    10,
    'chromium',
  ],
  ['Firefox', 'Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0', 0, 'none'],
])('%s', (_name, userAgent, touchPoints, system) => expect(systemOf(userAgent, touchPoints)).toBe(system))
