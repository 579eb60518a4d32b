import { crc32, deflateSync } from 'node:zlib'

const chunk = (type: string, data: Buffer): Buffer => {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const frame = Buffer.alloc(8)
  frame.writeUInt32BE(data.length, 0)
  frame.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)])
}

const side = 384

/** Hills in the evening: layers of sine waves in colours of one hue. */
const colourAt = (x: number, y: number, seed: number): [number, number, number] => {
  const hue = ((seed * 47) % 360) / 360
  let layer = 0
  for (let each = 1; each <= 5; each += 1) {
    const height =
      side * (0.25 + each * 0.13) + Math.sin(x / (22 + each * 9) + seed + each * 2) * 18
    if (y > height) layer = each
  }
  const light = layer === 0 ? 0.86 - (y / side) * 0.35 : 0.62 - layer * 0.1
  const part = (shift: number) =>
    Math.round(255 * (light + 0.13 * Math.cos(2 * Math.PI * (hue + shift))))
  return [part(0), part(0.33), part(0.67)].map(each => Math.min(255, Math.max(0, each))) as [
    number,
    number,
    number,
  ]
}

/** A PNG that is drawn once for each seed. */
export const picture = (seed: number): Buffer => {
  const rows: Buffer[] = []
  for (let y = 0; y < side; y += 1) {
    const row = Buffer.alloc(1 + side * 3)
    for (let x = 0; x < side; x += 1) row.set(colourAt(x, y, seed), 1 + x * 3)
    rows.push(row)
  }
  const header = Buffer.alloc(13)
  header.writeUInt32BE(side, 0)
  header.writeUInt32BE(side, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(rows))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

const sampleRate = 8_000
const notes = [220, 262, 330, 392, 330, 262, 247, 196]

/** Eight seconds of a tune, as WAV. */
export const tune = (seed: number): Buffer => {
  const samples = sampleRate * notes.length
  const file = Buffer.alloc(44 + samples)
  file.write('RIFF', 0)
  file.writeUInt32LE(36 + samples, 4)
  file.write('WAVEfmt ', 8)
  file.writeUInt32LE(16, 16)
  file.writeUInt16LE(1, 20)
  file.writeUInt16LE(1, 22)
  file.writeUInt32LE(sampleRate, 24)
  file.writeUInt32LE(sampleRate, 28)
  file.writeUInt16LE(1, 32)
  file.writeUInt16LE(8, 34)
  file.write('data', 36)
  file.writeUInt32LE(samples, 40)
  for (let at = 0; at < samples; at += 1) {
    const note = notes[(Math.floor(at / sampleRate) + seed) % notes.length]!
    const fade = 1 - (at % sampleRate) / sampleRate
    file[44 + at] = 128 + Math.round(50 * fade * Math.sin((2 * Math.PI * note * at) / sampleRate))
  }
  return file
}
