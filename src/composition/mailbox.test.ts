import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { READINGS } from './mailbox.ts'

test.each(['docs/decisions/021-untrusted-mail.md', 'CHANGELOG.md'])(
  '%s says how many requests wait until a message is opened',
  (file) => {
    const text = readFileSync(file, 'utf8').replace(/\s+/g, ' ')
    expect(READINGS.atOnce).toBe(2)
    expect(text).toMatch(/two messages of an address are opened at (?:a|the same) time/i)
    expect(/([\w,]+) requests (?:may )?wait\b/.exec(text)?.[1]).toBe(String(READINGS.maxWaiting))
  },
)
