import type { Provider } from '@hub/contract'
import Box from '@mui/material/Box'
import { ProviderMark } from '../../domain/index.ts'
import { typeName } from './queries.ts'

type Props = { type: number; providers: readonly Provider[] }

/** A channel type with the mark of its provider. */
export const TypeName = ({ type, providers }: Props) => {
  const name = typeName(providers, type)
  return (
    <Box component="span" sx={frame}>
      <ProviderMark type={type} name={name} size={18} />
      {name}
    </Box>
  )
}

const frame = {
  display: 'inline-flex',
  alignItems: 'center',
  gap: 0.75,
  minWidth: 0,
  verticalAlign: 'top',
}
