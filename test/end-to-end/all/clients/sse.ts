export type SseEvent = { event: string; data: string; at: number }

/** The events of a stream as the standard has them: a comment is none. */
export async function* eventsOf(response: Response): AsyncGenerator<SseEvent> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of response.body ?? []) {
    rest += decoder.decode(chunk, { stream: true })
    for (;;) {
      const end = rest.indexOf('\n\n')
      if (end < 0) break
      const lines = rest.slice(0, end).split('\n')
      rest = rest.slice(end + 2)
      const field = (name: string) =>
        lines
          .filter(line => line.startsWith(`${name}:`))
          .map(line => line.slice(name.length + 1).trim())
      const data = field('data').join('\n')
      if (data !== '') yield { event: field('event')[0] ?? '', data, at: performance.now() }
    }
  }
}
