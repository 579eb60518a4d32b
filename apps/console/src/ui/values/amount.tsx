import Box from '@mui/material/Box'
import { createContext, useContext } from 'react'

/** The most decimals of an amount in the surrounding table column. */
export const AmountPlaces = createContext(0)

const placesOf = (text: string): number => text.split('.')[1]?.length ?? 0

/** The most decimals of several amounts. */
export const mostPlaces = (amounts: readonly (string | undefined)[]): number =>
  Math.max(0, ...amounts.map(each => placesOf(each ?? '')))

/** An amount whose decimal point lines up with the others of its right-aligned column. */
export const Amount = ({ text }: { text: string }) => {
  const places = useContext(AmountPlaces)
  const missing = places - placesOf(text)
  // Digits have equal widths, so that invisible zeros take the space of the decimals that are not there.
  const padding = (text.includes('.') ? '' : '.') + '0'.repeat(Math.max(0, missing))
  return (
    <Box
      component="span"
      sx={{
        whiteSpace: 'nowrap',
        ...(missing > 0 && { '&::after': { content: `"${padding}"`, visibility: 'hidden' } }),
      }}
    >
      {text}
    </Box>
  )
}
