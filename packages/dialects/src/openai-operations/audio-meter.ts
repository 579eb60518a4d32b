/** Counts the seconds of speech in the bytes of one file, as they arrive. */
export type AudioMeter = {
  push(bytes: Uint8Array): void
  seconds(): number
}

/**
 * Bytes of a second of speech by `response_format`. PCM and WAV: 16 bit at 24 kHz. The others are what the vendor sends:
 * https://platform.openai.com/docs/guides/text-to-speech#supported-output-formats
 */
const bytesPerSecond: Readonly<Record<string, number>> = {
  pcm: 48_000,
  wav: 48_000,
  mp3: 20_000,
  flac: 24_000,
  aac: 12_000,
  opus: 8_000,
}

export const makeAudioMeter = (format: string): AudioMeter => {
  let perSecond = bytesPerSecond[format] ?? bytesPerSecond.mp3!
  let size = 0
  return {
    push: bytes => {
      if (size === 0) perSecond = mp3BytesPerSecond(bytes) ?? perSecond
      size += bytes.length
    },
    seconds: () => size / perSecond,
  }
}

// Kilobits per second of layer III by the index in the header: http://www.mp3-tech.org/programmer/frame_header.html
const version1Rates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const version2Rates = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]

/** The rate by the header of the first frame of an MP3; undefined where the bytes begin with no frame. */
const mp3BytesPerSecond = (bytes: Uint8Array): number | undefined => {
  const [sync = 0, version = 0, rate = 0] = bytes
  const isLayer3 = sync === 0xff && (version & 0xe6) === 0xe2
  if (!isLayer3) return undefined
  const rates = (version & 0x18) === 0x18 ? version1Rates : version2Rates
  const kilobits = rates[rate >> 4] ?? 0
  return kilobits === 0 ? undefined : (kilobits * 1_000) / 8
}
