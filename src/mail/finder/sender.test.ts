import { describe, expect, test } from 'vitest'
import { findCodeAndLink } from './finder.ts'

describe('the name of the sender is no code', () => {
  const html = (name: string) =>
    `<p><img src="https://a.example/l.png" alt="${name}"></p><p>You have a new message. Sign in to read it.</p><p>${name}</p>`
  test.each([
    ['1177', 'no-reply@e-tjanster.example'],
    ['1177 Vårdguiden', 'no-reply@e-tjanster.example'],
    ['Health guide', 'no-reply@1177.example'],
    ['Health guide', '1177@e-tjanster.example'],
  ])('%s <%s>', (fromName, fromAddress) => {
    const found = findCodeAndLink({ subject: 'New message', text: null, html: html('1177'), fromName, fromAddress })
    expect(found.code).toBe(null)
    expect(found.candidates.filter(({ kind }) => kind === 'code')).toEqual([])
  })

  test.each(['Code 482913', 'Lumo 482913', '482913'])('a code in the display name stays one: %s', (fromName) => {
    const mail = { subject: 'Your code is 482913', text: 'Your sign-in code is 482913.', html: null }
    expect(findCodeAndLink({ ...mail, fromName, fromAddress: 'no-reply@lumo.example' }).code).toBe('482913')
  })
})

test('a Russian invitation has a link', () => {
  const link = 'https://360.example/invite/accept?token=8f3a9c2e7b1d4f60'
  const found = findCodeAndLink({
    subject: 'Приглашение в команду «Север»',
    text: `Здравствуйте!\n\nАнна пригласила вас в команду «Север».\n\nПринять приглашение:\n${link}\n\nСсылка действует 7 дней.`,
    html: `<p>Здравствуйте!</p><p>Анна пригласила вас в команду «Север».</p><p><a href="${link}">Принять приглашение</a></p><p>Ссылка действует 7 дней.</p>`,
    fromName: 'Lumo',
    fromAddress: 'no-reply@lumo.example',
  })
  expect(found.link).toBe(link)
})
