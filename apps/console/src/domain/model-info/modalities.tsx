import AudioIcon from 'virtual:icons/graphic-eq'
import ImageIcon from 'virtual:icons/image'
import MusicIcon from 'virtual:icons/music-note'
import TextIcon from 'virtual:icons/notes'
import VideoIcon from 'virtual:icons/videocam'
import type { ComponentType, CSSProperties } from 'react'
import { type T, useT } from '../../ui/index.ts'
import { InfoChip } from './info-chip.tsx'

type IconProps = { className?: string; style?: CSSProperties }
type Look = { Icon: ComponentType<IconProps>; colour: string }

/** The modalities that have a name in each language. Any other one is shown as it is stored. */
const known: Record<string, Look> = {
  text: { Icon: TextIcon, colour: 'var(--mui-palette-text-secondary)' },
  image: { Icon: ImageIcon, colour: 'var(--mui-palette-success-main)' },
  audio: { Icon: AudioIcon, colour: 'var(--mui-palette-warning-main)' },
  video: { Icon: VideoIcon, colour: 'var(--mui-palette-info-main)' },
  music: { Icon: MusicIcon, colour: 'var(--hub-violet, #7a4fd0)' },
  embeddings: { Icon: TextIcon, colour: 'var(--mui-palette-text-secondary)' },
  rerank: { Icon: TextIcon, colour: 'var(--mui-palette-text-secondary)' },
}
const order = Object.keys(known)

/** Each modality once: the known ones first. */
export const sortModalities = (names: Iterable<string>): string[] => {
  const unique = [...new Set(names)]
  const others = unique.filter(name => !order.includes(name)).toSorted()
  return [...order.filter(name => unique.includes(name)), ...others]
}

export const modalityLabel = (t: T, name: string): string =>
  order.includes(name) ? t(`model-details.modalities.${name}`) : name

type ModalityIconProps = {
  name: string
  /** Comes from the chip that draws the icon. */
  className?: string
}

export const ModalityIcon = ({ name, className = '' }: ModalityIconProps) => {
  const look = order.includes(name) ? known[name] : undefined
  if (!look) return null
  // A chip has a colour of its own for icons, which only a style of the element overrides.
  return <look.Icon className={className} style={{ fontSize: 16, color: look.colour }} />
}

/** Modalities as chips with an icon and a name. */
export const ModalityChips = ({ names }: { names: readonly string[] }) => {
  const t = useT()
  if (names.length === 0) return '–'
  return names.map(name => (
    <InfoChip key={name} icon={<ModalityIcon name={name} />} text={modalityLabel(t, name)} />
  ))
}
