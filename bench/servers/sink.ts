/**
 * The fastest SMTP server that node:net allows: it answers every command and keeps nothing. Its rate is the limit that
 * the load generator and the sockets set on this machine. Prints its port.
 */
import { createServer } from 'node:net'

const END = Buffer.from('\r\n.\r\n')
const END_LENGTH = END.length

const server = createServer((socket) => {
  let inData = false
  let tail = Buffer.alloc(0)
  socket.setNoDelay(true)
  socket.on('error', () => socket.destroy())
  socket.on('data', (chunk: Buffer) => {
    if (inData) {
      const seen = Buffer.concat([tail, chunk])
      inData = seen.indexOf(END) === -1
      tail = seen.subarray(-END_LENGTH + 1)
      if (!inData) socket.write('250 2.0.0 Kept nothing\r\n')
      return
    }
    let replies = ''
    for (const line of chunk.toString('latin1').split('\r\n').slice(0, -1)) {
      if (line.startsWith('EHLO')) replies += '250-sink\r\n250 PIPELINING\r\n'
      else if (line === 'DATA') {
        inData = true
        tail = Buffer.alloc(0)
        replies += '354 Go\r\n'
      } else replies += line === 'QUIT' ? '221 Bye\r\n' : '250 2.0.0 OK\r\n'
    }
    socket.write(replies)
  })
  socket.write('220 sink ESMTP\r\n')
})

server.listen(Number(process.argv[2]), '127.0.0.1')
