import type { Feature } from '../cell.ts'
import { model, user } from '../facts.ts'
import { hello, pdf, photo, tone } from './samples.ts'

const group = 'Words and media'

export const words: readonly Feature[] = [
  {
    name: 'text',
    title: 'Text',
    group,
    asks: { turns: [user('Say “grüezi 世界 👋”.')], outputMax: 300 },
    says: { ...hello, pieces: [{ text: 'Grüezi, 世界 👋!' }] },
  },
  {
    name: 'system',
    title: 'A system prompt',
    group,
    asks: { system: ['Be brief.'], turns: [user('Say hello.')] },
    says: hello,
  },
  {
    name: 'systems',
    title: 'Several system prompts, each for itself',
    group,
    asks: { system: ['Be brief.', 'Be kind.'], turns: [user('Say hello.')] },
    says: hello,
  },
  {
    name: 'turns',
    title: 'A conversation of several turns',
    group,
    asks: { turns: [user('One?'), model('Two.'), user('Three?'), model('Four.'), user('Five?')] },
    says: hello,
  },
  {
    name: 'answer-goes-back',
    title: 'An answer that is sent back as it was',
    group,
    asks: { turns: [user('Say hello.')] },
    says: hello,
    next: { turns: [user('And again?')], says: hello },
  },
  {
    name: 'image-data',
    title: 'An image by its bytes, between words',
    group,
    asks: { turns: [user('This', { image: { mime: 'image/png', data: photo } }, 'is what?')] },
    says: hello,
  },
  {
    name: 'image-url',
    title: 'An image by its address',
    group,
    asks: {
      turns: [user({ image: { mime: 'image/*', url: 'https://images.example/cat.jpg' } }, 'What?')],
    },
    says: hello,
  },
  {
    name: 'file-data',
    title: 'A file (PDF) by its bytes',
    group,
    asks: {
      turns: [
        user({ file: { mime: 'application/pdf', data: pdf, name: 'paper.pdf' } }, 'Sum it up.'),
      ],
    },
    says: hello,
  },
  {
    name: 'file-url',
    title: 'A file (PDF) by its address',
    group,
    asks: {
      turns: [
        user(
          { file: { mime: 'application/pdf', url: 'https://files.example/paper.pdf' } },
          'Sum it up.',
        ),
      ],
    },
    says: hello,
  },
  {
    name: 'audio-in',
    title: 'Audio in',
    group,
    asks: { turns: [user({ audio: { mime: 'audio/wav', data: tone } }, 'What is said?')] },
    says: hello,
  },
  {
    name: 'audio-out',
    title: 'Audio out',
    group,
    asks: { turns: [user('Say hello.')], speaks: { voice: 'alloy', format: 'pcm16' } },
    says: {
      pieces: [{ audio: { mime: 'audio/pcm', data: tone, transcript: 'Hello.' } }],
      finish: 'stop',
    },
  },
  {
    name: 'image-out',
    title: 'An image in the answer',
    group,
    asks: { turns: [user('Draw a cat.')] },
    says: {
      pieces: [{ text: 'A cat:' }, { image: { mime: 'image/png', data: photo } }],
      finish: 'stop',
    },
  },
  {
    name: 'refusal',
    title: 'A refusal in the model’s own words',
    group,
    asks: { turns: [user('Something bad.')] },
    says: { pieces: [{ refusal: 'I cannot help with that.' }] },
  },
  {
    name: 'citations',
    title: 'Sources of what is said',
    group,
    asks: { turns: [user('What is the news?')] },
    says: {
      pieces: [
        { text: 'It rains.', sources: [{ url: 'https://news.example/rain', title: 'Rain' }] },
      ],
      finish: 'stop',
    },
  },
]
