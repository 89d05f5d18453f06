import { expect, test } from 'vitest'
import { createIsOurs } from './our-email.ts'

test.each([
  ['a@mayfly.test', true],
  ['a@MAYFLY.test', true],
  ['a@deep.mayfly.test', true],
  ['a@notmayfly.test', false],
  ['a@test', false],
  ['a@brought.example', true],
  ['a@mail.brought.example', false],
  ['a@example.com', false],
])('%s is ours: %s', async (email, ours) => {
  const recipient = async (domain: string) =>
    domain === 'brought.example' ? { subscriptionId: 's', catchAll: null } : undefined
  expect(await createIsOurs(['mayfly.test'], { recipient })(email)).toBe(ours)
})
