import Container from '@mui/material/Container'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { ErrorState, Markdown } from '../../ui'

type Props = { text: UseQueryResult<string>; title: string; fallback: ReactNode }

/** The site's own text for a page, an embedded address, or the fallback. */
export const SiteText = ({ text, title, fallback }: Props) => {
  if (text.isPending) return null
  if (text.isError)
    return (
      <Container maxWidth="sm" sx={{ py: 6 }}>
        <ErrorState error={text.error} retry={() => void text.refetch()} />
      </Container>
    )
  if (!text.data) return fallback
  if (/^https?:\/\/\S+$/.test(text.data.trim())) return <Markdown text={text.data} title={title} />
  return (
    <Container maxWidth="md" sx={{ py: 5 }}>
      <Markdown text={text.data} title={title} />
    </Container>
  )
}
