/** An event's name and what it says. */
export type AwsEvent = readonly [name: string, payload: unknown]

type Header = { type: 'string'; value: string }
type Message = { headers: Record<string, Header>; body: Uint8Array }

/** The part of the official client that frames a stream. Tests pass it in, so that this package does not depend on it. */
type Client = {
  eventStreamMarshaller: {
    serialize(
      events: AsyncIterable<AwsEvent>,
      messageOf: (event: AwsEvent) => Message,
    ): AsyncIterable<Uint8Array>
  }
}

/** The bytes of a stream as that client frames them; what is named an exception is told as one. */
export const awsStreamEncoder =
  ({ eventStreamMarshaller }: Client) =>
  async (events: readonly AwsEvent[]): Promise<Buffer> => {
    const chunks: Uint8Array[] = []
    const each = async function* () {
      yield* events
    }
    for await (const chunk of eventStreamMarshaller.serialize(each(), messageOf)) chunks.push(chunk)
    return Buffer.concat(chunks)
  }

const messageOf = ([name, payload]: AwsEvent): Message => {
  const type = name.endsWith('Exception') ? 'exception' : 'event'
  return {
    headers: {
      ':message-type': text(type),
      [`:${type}-type`]: text(name),
      ':content-type': text('application/json'),
    },
    body: Buffer.from(JSON.stringify(payload)),
  }
}

const text = (value: string): Header => ({ type: 'string', value })

/** One recorded line is one event under its name. */
export const parseAwsEvents = (lines: readonly string[]): AwsEvent[] =>
  lines.flatMap(line => Object.entries(JSON.parse(line) as object))
