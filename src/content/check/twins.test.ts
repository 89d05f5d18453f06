import { expect, it } from 'vitest'
import { checkTwin, indexTwins } from './twins.ts'

it('finds long passages that are the same in two languages', () => {
  const text = 'Alamat sementara adalah alamat surel yang sungguhan.'
  const passages = ['id', 'ms', 'de'].map((code): [string, { where: string; text: string }[]] => [
    code,
    [code === 'de' ? 'Eine Adresse' : text, 'Mayfly'].map((each) => ({ where: code, text: each })),
  ])
  const index = indexTwins(new Map(passages))
  expect(checkTwin(text, 'ms', index)).toEqual([expect.stringMatching(/^is the same in id: /)])
  expect(checkTwin('Mayfly', 'ms', index)).toEqual([])
  expect(checkTwin('Eine Adresse', 'de', index)).toEqual([])
})
