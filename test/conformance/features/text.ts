import type { Feature } from '../cell.ts'
import { model, user } from '../neutral.ts'
import { audioBase64, hello, pdf, pngBase64 } from './samples.ts'

const group = 'Words and media'

export const words: readonly Feature[] = [
  {
    name: 'text',
    title: 'Text',
    group,
    request: { turns: [user('Say “grüezi 世界 👋”.')], outputMax: 300 },
    response: { ...hello, pieces: [{ text: 'Grüezi, 世界 👋!' }] },
  },
  {
    name: 'system',
    title: 'A system prompt',
    group,
    request: { system: ['Be brief.'], turns: [user('Say hello.')] },
    response: hello,
  },
  {
    name: 'systems',
    title: 'Several system prompts, each for itself',
    group,
    request: { system: ['Be brief.', 'Be kind.'], turns: [user('Say hello.')] },
    response: hello,
  },
  {
    name: 'turns',
    title: 'A conversation of several turns',
    group,
    request: {
      turns: [user('One?'), model('Two.'), user('Three?'), model('Four.'), user('Five?')],
    },
    response: hello,
  },
  {
    name: 'answer-goes-back',
    title: 'An answer that is sent back as it was',
    group,
    request: { turns: [user('Say hello.')] },
    response: hello,
    next: { turns: [user('And again?')], response: hello },
  },
  {
    name: 'image-data',
    title: 'An image by its bytes, between words',
    group,
    request: {
      turns: [user('This', { image: { mime: 'image/png', data: pngBase64 } }, 'is what?')],
    },
    response: hello,
  },
  {
    name: 'image-url',
    title: 'An image by its address',
    group,
    request: {
      turns: [
        user({ image: { mime: 'image/*', url: 'http://files.example:8080/cat.png' } }, 'What?'),
      ],
    },
    response: hello,
  },
  {
    name: 'file-data',
    title: 'A file (PDF) by its bytes',
    group,
    request: {
      turns: [
        user({ file: { mime: 'application/pdf', data: pdf, name: 'paper.pdf' } }, 'Sum it up.'),
      ],
    },
    response: hello,
  },
  {
    name: 'file-url',
    title: 'A file (PDF) by its address',
    group,
    request: {
      turns: [
        user(
          { file: { mime: 'application/pdf', url: 'http://files.example:8080/paper.pdf' } },
          'Sum it up.',
        ),
      ],
    },
    response: hello,
  },
  {
    name: 'audio-in',
    title: 'Audio in',
    group,
    request: {
      turns: [user({ audio: { mime: 'audio/wav', data: audioBase64 } }, 'What is said?')],
    },
    response: hello,
  },
  {
    name: 'audio-out',
    title: 'Audio out',
    group,
    request: { turns: [user('Say hello.')], audioOutput: { voice: 'alloy', format: 'pcm16' } },
    response: {
      pieces: [{ audio: { mime: 'audio/pcm', data: audioBase64, transcript: 'Hello.' } }],
      finish: 'stop',
    },
  },
  {
    name: 'image-out',
    title: 'An image in the answer',
    group,
    request: { turns: [user('Draw a cat.')] },
    response: {
      pieces: [{ text: 'A cat:' }, { image: { mime: 'image/png', data: pngBase64 } }],
      finish: 'stop',
    },
  },
  {
    name: 'refusal',
    title: 'A refusal in the model’s own words',
    group,
    request: { turns: [user('Something bad.')] },
    response: { pieces: [{ refusal: 'I cannot help with that.' }] },
  },
  {
    name: 'citations',
    title: 'Sources of what is said',
    group,
    request: { turns: [user('What is the news?')] },
    response: {
      pieces: [
        { text: 'It rains.', sources: [{ url: 'https://news.example/rain', title: 'Rain' }] },
      ],
      finish: 'stop',
    },
  },
]
