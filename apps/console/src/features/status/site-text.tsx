import Container from '@mui/material/Container'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState, Markdown } from '../../ui'

type Props = { text: UseQueryResult<string>; title: string; otherwise: ReactNode }

/** What the site wrote for a page, an address in a frame, or what stands there by default. */
export const SiteText = ({ text, title, otherwise }: Props) => {
  if (text.isPending) return null
  if (text.isError)
    return (
      <Container maxWidth="sm" sx={{ py: 6 }}>
        <ErrorState error={text.error} retry={() => void text.refetch()} />
      </Container>
    )
  if (!text.data) return otherwise
  if (/^https?:\/\/\S+$/.test(text.data.trim())) return <Markdown text={text.data} title={title} />
  return (
    <Container maxWidth="md" sx={{ py: 5 }}>
      <Markdown text={text.data} title={title} />
    </Container>
  )
}
