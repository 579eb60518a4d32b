/** Answers of the fake vendor. Each says something true of gateways, so that a reader learns something. */
const answers = [
  'A gateway reserves the most that a call may cost before it asks the vendor, and charges what was really used when the answer ends. The rest of the reservation returns to the balance at once, so a caller never pays for tokens that did not arrive.',
  'Three things decide which channel serves a call: the group of the key, the priority of the channels that list the model, and their weights. A channel that failed moments ago rests for some seconds, and the next one takes its place.',
  'Keep the beginning of a prompt stable. Vendors store it in a cache and read it again for a tenth of the price, as long as not one character of it changes. Put what varies, such as the date, at the end.',
  'To lower the time to the first token, send shorter prompts, stream the answer, and choose a model of the right size. A small model that answers in 300 ms often serves people better than a large one that needs four seconds.',
  'Give every program a key of its own. You see what each one costs, you can limit it by day and month, and if a key is lost you delete one key and not the work of a whole company.',
] as const

export const answerFor = (seed: number): string => answers[seed % answers.length]!

/** Four characters are about one token. */
export const tokensOf = (text: string): number => Math.max(1, Math.ceil(text.length / 4))

/** A word at a time, with the blank before it. */
export const piecesOf = (text: string): string[] => text.match(/\s*\S+/g) ?? [text]

export const lyrics =
  '[Verse]\nThe harbour lights go out by one,\nthe ferry turns towards the sun.\n\n[Chorus]\nWe count the waves, we keep the line,\nand every night the boats are fine.'
