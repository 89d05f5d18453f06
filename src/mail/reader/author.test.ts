import { addressParser } from 'postal-mime'
import { expect, test } from 'vitest'
import { cpuTime } from '#test/support/program/cpu-time.ts'
import { authorIn, mailboxesIn } from './author.ts'

test.each([
  ['Doe, John <a@x.example>', 'Doe, John', 'a@x.example'],
  ['Doe, Jr., John <a@x.example>, Lee, Ann <b@x.example>', 'Doe, Jr., John', 'a@x.example'],
  ['"Doe, John" <a@x.example>', 'Doe, John', 'a@x.example'],
  ['Undisclosed, a@x.example', '', 'a@x.example'],
  ['a@x.example, John', '', 'a@x.example'],
  ['<@relay.example:a@x.example>', '', 'a@x.example'],
  ['Ann <@b.example,@c.example:a@x.example>', 'Ann', 'a@x.example'],
  ['<@relay.example>', '', '@relay.example'],
  ['Brindle [a@x.example]', 'Brindle', 'a@x.example'],
  ['Brindle [EU] <a@x.example>', 'Brindle [EU]', 'a@x.example'],
  ['Brindle', 'Brindle', ''],
  ['Team: Doe, John <a@x.example>;', 'Doe, John', 'a@x.example'],
])('the author of %s', (header, name, address) => expect(authorIn(header)).toEqual({ name, address }))

test('recipients with commas in their names are one each', () =>
  expect(mailboxesIn(addressParser('Doe, John <a@x.example>, Lee, Ann <b@x.example>, c@x.example, Max'), 100)).toEqual([
    { name: 'Doe, John', address: 'a@x.example' },
    { name: 'Lee, Ann', address: 'b@x.example' },
    { name: '', address: 'c@x.example' },
    { name: 'Max', address: '' },
  ]))

test.each(['a,', 'a,b <c@d.example>,', '@a,'])('takes linear time for many of %j', (text) => {
  const header = `${text.repeat(20_000)} z <a@x.example>`
  const entries = addressParser(header)
  expect(cpuTime(() => mailboxesIn(entries, 100))).toBeLessThan(500)
})
