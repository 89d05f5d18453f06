import { expect, test } from 'vitest'
import { isAccepted, isKnownPushHost } from './push-hosts.ts'

test.each([
  ['fcm.googleapis.com', true],
  ['updates.push.services.mozilla.com', true],
  ['web.push.apple.com', true],
  ['wns2-par02p.notify.windows.com', true],
  ['evilpush.apple.com.example', false],
  ['evil-fcm.googleapis.com', false],
  ['push.example', false],
])('knows the push services of browsers: %s', (host, known) => expect(isKnownPushHost(host)).toBe(known))

test.each([
  ['push.example', 201, true, true],
  ['push.example', 201, false, false],
  ['push.example', 200, true, false],
  ['push.example', 202, true, false],
  ['web.push.apple.com', 201, false, true],
  ['updates.push.services.mozilla.com', 200, true, true],
  ['fcm.googleapis.com', 302, true, false],
] as const)('%s accepts with %i, message named: %s', (host, status, named, accepted) =>
  expect(isAccepted(host, { status, named })).toBe(accepted),
)
