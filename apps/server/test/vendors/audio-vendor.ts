import type { ServerResponse } from 'node:http'
import { type FormCall, refuse } from './form-vendor.ts'

/** The vendor's own list: https://platform.openai.com/docs/api-reference/audio/createTranscription#file */
const types = ['flac', 'm4a', 'mp3', 'mp4', 'mpeg', 'mpga', 'oga', 'ogg', 'wav', 'webm']

/** Usage of the recorded answers in the vendor's reference. */
const tokenUsage = {
  type: 'tokens',
  input_tokens: 14,
  input_token_details: { text_tokens: 4, audio_tokens: 10 },
  output_tokens: 45,
  total_tokens: 59,
}

const transcript = 'Imagine the wildest idea that you have ever had'

const texts: Readonly<Record<string, string>> = {
  text: `${transcript}\n`,
  srt: `1\n00:00:00,000 --> 00:00:09,500\n${transcript}\n\n`,
  vtt: `WEBVTT\n\n00:00:00.000 --> 00:00:09.500\n${transcript}\n\n`,
}

/** Answers as the vendor's reference prints them: whisper-1 is sold by the second, later models by the token. */
export const serveAudio = (call: FormCall) => {
  const { parts, response } = call
  const field = (name: string) => parts.find(each => each[0] === name)?.[1] as string | undefined
  const filename = field('file')
  const model = field('model')
  if (filename === undefined) return refuse(call, "Missing required parameter: 'file'.")
  if (!types.includes(filename.split('.').at(-1)!)) return refuse(call, 'Invalid file format.')
  const format = field('response_format') ?? 'json'
  const isWhisper = model === 'whisper-1'
  // https://platform.openai.com/docs/api-reference/audio/createTranscription#response_format
  const formats = isWhisper
    ? ['json', 'verbose_json', ...Object.keys(texts)]
    : ['json', 'text', 'diarized_json']
  if (!formats.includes(format))
    return refuse(call, `response_format '${format}' is not compatible with model '${model}'.`)
  if (!isWhisper && field('stream') === 'true') return stream(response)
  const text = texts[format]
  response.writeHead(200, {
    'content-type': text ? 'text/plain; charset=utf-8' : 'application/json',
  })
  const usage = isWhisper ? { type: 'duration', seconds: 10 } : tokenUsage
  const verbose = {
    task: 'transcribe',
    language: 'english',
    duration: 9.5,
    text: transcript,
    usage,
  }
  response.end(text ?? JSON.stringify(format === 'json' ? { text: transcript, usage } : verbose))
}

/** https://platform.openai.com/docs/api-reference/audio/transcript-text-delta-event */
const stream = (response: ServerResponse) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const events = [
    ...transcript.split(' ').map(delta => ({ type: 'transcript.text.delta', delta: `${delta} ` })),
    { type: 'transcript.text.done', text: transcript, usage: tokenUsage },
  ]
  for (const each of events) response.write(`data: ${JSON.stringify(each)}\n\n`)
  response.end()
}
