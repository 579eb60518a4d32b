export type Frame = { event?: string; data: string }

const line = /^(?:event: (?<event>\S+)|data: (?<data>.*)|(?<comment>:.*))$/

/** https://html.spec.whatwg.org/multipage/server-sent-events.html, as strictly as vendors write it. Comments are no frames. */
export const parseSse = (body: string): { frames: Frame[]; problems: string[] } => {
  const problems: string[] = []
  const blocks = body.replaceAll('\r\n', '\n').split('\n\n')
  if (blocks.pop() !== '') problems.push('the stream ends within a frame')
  const frames = blocks.flatMap(block => {
    const lines = block.split('\n').map(each => line.exec(each)?.groups)
    if (lines.some(each => !each)) problems.push(`no frame: ${block.slice(0, 200)}`)
    const event = lines.find(each => each?.event)?.event
    const data = lines.flatMap(each => each?.data ?? []).join('\n')
    if (event && !data) problems.push(`an event without data: ${event}`)
    return data ? [{ ...(event ? { event } : {}), data }] : []
  })
  return { frames, problems }
}

export const parse = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}
