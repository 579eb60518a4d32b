import { tilesOf as geminiTiles } from '../gemini/media.ts'
import type { Medium } from '../json/media.ts'
import { tilesOf } from '../openai-chat/media.ts'
import type { CountingVendor } from './vendors.ts'

/** The size of an image that nothing tells: that of most screenshots and photographs after the client scaled them. */
const usual = { width: 1_024, height: 1_024 }
/** A file of which nothing is known: some pages. */
const unknownFile = 3_000
const textPerPage = 700
/** Base64 of one second: MP3 and the like at 64 kbit/s. */
const soundBytesPerSecond = 10_700
/** Base64 of one second of film at 1 Mbit/s. */
const filmBytesPerSecond = 167_000
const contextMax = 1_000_000

/** The vendor most likely counts this for a medium. The hold counts more: `media.ts` of the dialect. */
export const fairMediaTokens = (
  vendor: CountingVendor,
  medium: Medium & { isLowDetail?: boolean },
  model: string,
): number => Math.min(contextMax, Math.round(tokensBy[vendor](medium, model)))

type Rule = (medium: Medium & { isLowDetail?: boolean }, model: string) => number

/** https://developers.openai.com/api/docs/guides/images-vision, and pdf-files beside it. */
const openai: Rule = (medium, model) => {
  switch (medium.kind) {
    case 'image':
      return openaiImage(medium.size ?? usual, model, medium.isLowDetail)
    case 'link':
      return openaiImage(usual, model, medium.isLowDetail)
    case 'audio':
      return (medium.length / soundBytesPerSecond) * 10
    case 'pdf':
      return medium.pages === undefined
        ? unknownFile
        : medium.pages * (textPerPage + openaiImage(usual, model))
    default:
      return unknownFile
  }
}

/** Base and tile of the models that count tiles. */
const tilePrices: readonly (readonly [models: RegExp, base: number, tile: number])[] = [
  [/4o-mini/, 2_833, 5_667],
  [/gpt-5/, 70, 140],
  [/^o[13]/, 75, 150],
  [/computer-use/, 65, 129],
]
/** The models that count patches, and tokens per patch. */
const patchPrices: readonly (readonly [models: RegExp, ratio: number])[] = [
  [/nano/, 2.46],
  [/o4-mini/, 1.72],
  [/mini/, 1.62],
]
const patchesMax = 1_536

const openaiImage = (
  { width, height }: { width: number; height: number },
  model: string,
  isLowDetail = false,
): number => {
  const [, base, tile] = tilePrices.find(([models]) => models.test(model)) ?? [undefined, 85, 170]
  const ratio = base === 2_833 ? undefined : patchPrices.find(([models]) => models.test(model))?.[1]
  if (ratio !== undefined)
    return Math.min(patchesMax, Math.ceil(width / 32) * Math.ceil(height / 32)) * ratio
  return base + (isLowDetail ? 0 : tile * tilesOf(width, height))
}

/** https://platform.claude.com/docs/en/build-with-claude/vision: 750 pixels a token, scaled down to 1,568 tokens. */
const anthropic: Rule = medium => {
  switch (medium.kind) {
    case 'image': {
      const { width, height } = medium.size ?? usual
      const fit = Math.min(1, 1_568 / Math.max(width, height))
      return Math.min(1_600, (width * height * fit * fit) / 750)
    }
    case 'link':
      return (usual.width * usual.height) / 750
    case 'pdf':
      // https://platform.claude.com/docs/en/build-with-claude/pdf-support: text and an image of each page.
      return medium.pages === undefined ? unknownFile : medium.pages * (textPerPage + 1_500)
    default:
      return unknownFile
  }
}

/** https://ai.google.dev/gemini-api/docs/tokens and media-resolution. */
const gemini: Rule = (medium, model) => {
  const isThird = /gemini-(3|[4-9])/.test(model)
  switch (medium.kind) {
    case 'image':
      if (isThird) return 1_120
      return medium.size ? 258 * geminiTiles(medium.size.width, medium.size.height) : 258
    case 'link':
      return isThird ? 1_120 : 258
    case 'audio':
      return (medium.length / soundBytesPerSecond) * 32
    case 'pdf':
      return medium.pages === undefined ? unknownFile : medium.pages * (isThird ? 560 : 258)
    default:
      return (medium.length / filmBytesPerSecond) * 295
  }
}

const tokensBy: Readonly<Record<CountingVendor, Rule>> = { openai, anthropic, gemini }
