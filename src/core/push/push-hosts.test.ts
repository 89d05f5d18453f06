import { expect, test } from 'vitest'
import { isAccepted, knownPushService } from './push-hosts.ts'

test.each([
  ['fcm.googleapis.com', 'fcm.googleapis.com'],
  ['updates.push.services.mozilla.com', 'push.services.mozilla.com'],
  ['web.push.apple.com', 'push.apple.com'],
  ['wns2-par02p.notify.windows.com', 'notify.windows.com'],
  ['evilpush.apple.com.example', undefined],
  ['evil-fcm.googleapis.com', undefined],
  ['push.example', undefined],
])('knows the push services of browsers: %s', (host, service) => expect(knownPushService(host)).toBe(service))

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
