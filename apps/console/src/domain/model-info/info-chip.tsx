import HotIcon from 'virtual:icons/local-fire-department'
import Box from '@mui/material/Box'
import type { ReactNode } from 'react'

/** A chip takes the place of a word: the alignment of the text around it applies. */
const frame = {
  display: 'inline-flex',
  alignItems: 'center',
  gap: 0.5,
  px: 0.75,
  my: '2px',
  mr: 0.5,
  '&:last-of-type': { mr: 0 },
  height: 22,
  maxWidth: '100%',
  fontSize: 12,
  fontWeight: 500,
  lineHeight: 1,
  verticalAlign: 'middle',
  borderRadius: '6px',
  border: '1px solid',
  borderColor: 'divider',
}
const cut = { py: 0.25, overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }

export const InfoChip = ({ icon, text }: { icon?: ReactNode; text: string }) => (
  <Box component="span" sx={frame} title={text}>
    {icon}
    <Box component="span" sx={cut}>
      {text}
    </Box>
  </Box>
)

/** The tag of models that many use. It comes first and has a flame. */
const hotTag = 'Hot'

/** The flame of the tag `Hot`; other tags have no mark. `className` comes from the chip that draws it. */
export const TagMark = ({ tag, className = '' }: { tag: string; className?: string }) =>
  tag === hotTag ? (
    <HotIcon
      className={className}
      style={{ fontSize: 16, color: 'var(--mui-palette-error-main)' }}
    />
  ) : null

/** Each tag once: `Hot` first, the others in their order. */
export const sortTags = (tags: Iterable<string>): string[] =>
  [...new Set(tags)].toSorted((a, b) => Number(b === hotTag) - Number(a === hotTag))

export const TagChips = ({ tags }: { tags: readonly string[] }) =>
  sortTags(tags).map(tag => <InfoChip key={tag} icon={<TagMark tag={tag} />} text={tag} />)
