type Send<Sent extends object, Reply> = (method: string, path: string, sent?: Sent) => Promise<Reply>

/** For a server that speaks the dialect: calls are answered in our words. */
export function asOwn<Sent extends { headers?: Record<string, string> }, Reply>(
  send: Send<Sent, Reply>,
): Send<Sent, Reply> {
  return (method, path, sent) => {
    const headers = { 'tidings-replies': 'own', ...sent?.headers }
    return send(method, path, Object.assign({}, sent, { headers }))
  }
}
