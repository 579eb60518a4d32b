import Box from '@mui/material/Box'
import { Mark } from './mark.tsx'
import { markOfModel } from './register.ts'

/** The mark of the family of a model, or the initials of the name. */
export const ModelMark = ({ name, size = 18 }: { name: string; size?: number }) => (
  <Mark mark={markOfModel(name)} name={name} size={size} />
)

type Props = {
  name: string
  /** The name is cut at this width in pixels, with the whole name on hover. Absent: it wraps. */
  width?: number
}

/** A model with the mark of its family. */
export const ModelName = ({ name, width }: Props) => (
  <Box component="span" sx={frame}>
    <ModelMark name={name} />
    {width === undefined ? (
      <Box component="span" sx={{ overflowWrap: 'anywhere', minWidth: 0 }}>
        {name}
      </Box>
    ) : (
      <Box component="span" title={name} sx={cut} style={{ maxWidth: width - 24 }}>
        {name}
      </Box>
    )}
  </Box>
)

const frame = {
  display: 'inline-flex',
  alignItems: 'center',
  gap: 0.75,
  maxWidth: '100%',
  minWidth: 0,
  // As high as a line of text, so that names stand level with the other cells of their row.
  verticalAlign: 'top',
}
const cut = { overflow: 'hidden', textOverflow: 'ellipsis', whiteSpace: 'nowrap' }
