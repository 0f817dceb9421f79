import { WebSocket } from 'ws'

/** Connects as the stock client does. `event` gets the text of each event, `fault` why there are none. */
export function openStockSocket(
  url: string,
  token: string,
  on: { event(text: string): void; fault(error: Error): void },
): WebSocket {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?token=${token}&EIO=4&transport=websocket`)
  socket.on('error', on.fault)
  socket.on('message', (data) => {
    const text = String(data)
    if (text.startsWith('0')) socket.send('40')
    else if (text === '2') socket.send('3')
    else if (text.startsWith('44')) on.fault(new Error(text))
    else if (text.startsWith('42')) on.event(text.slice(2))
  })
  return socket
}
