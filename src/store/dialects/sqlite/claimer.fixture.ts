import { openStore } from '../../store.ts'
import { newAddress, NOW } from '../../suite/fixtures.ts'

/** A process that claims the names on its stdin, and prints those that it got. */
const [directory = ''] = process.argv.slice(2)
const store = await openStore({ directory, logger: console })
process.stdout.write('ready\n')
process.stdin.setEncoding('utf8').once('data', async (names: string) => {
  const won = await Promise.all(
    names
      .trim()
      .split(' ')
      .map(async (nameKey) => ((await store.addresses.claim(newAddress({ nameKey }), NOW)) ? [nameKey] : [])),
  )
  await store.close()
  process.stdout.write(`${JSON.stringify(won.flat())}\n`)
  process.stdin.destroy()
})
