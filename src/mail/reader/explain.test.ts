import { expect, test } from 'vitest'
import { fromUtf8 } from '../bytes.ts'
import { explain } from './explain.ts'

test('prints the code, the link, and the candidates with their reasons', async () => {
  const lines = await explain(
    fromUtf8(
      'From: Quay <no-reply@quay.example>\r\nSubject: Sign in\r\n\r\nYour code is 482913\r\n\r\nOr open this link:\r\n\r\nhttps://quay.example/verify?token=9f8a7c6b5d4e3f2a\r\n\r\nPO Box 77120\r\n',
    ),
  )
  expect(lines.slice(0, 4)).toEqual([
    'Code: 482913',
    'Link: https://quay.example/verify?token=9f8a7c6b5d4e3f2a',
    '',
    'Candidates for the code:',
  ])
  expect(lines).toContain('  77120')
  expect(lines.join('\n')).toMatch(
    / {2}482913\n {4}confidence \d+\.\d %, in "Your code is 482913"\n {4}[+-]\d+\.\d\d \w/,
  )
})

test('says that nothing was found', async () => {
  expect(await explain(fromUtf8('Subject: Hello\r\n\r\nHow are you?\r\n'))).toEqual(['Code: none', 'Link: none'])
})
