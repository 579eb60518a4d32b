import OpenIcon from '@mui/icons-material/OpenInNewOutlined'
import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { visuallyHidden } from '@mui/utils'
import { mono, useT } from '../../ui/index.ts'
import { type Fate, fatesOf, linkOf, nameOf, type Pair, type Row } from './grid.ts'
import { StateText } from './state.tsx'

type Props = { row: Row; pairs: Pair[]; cell: string }

/** The cell that was asked for and those alike, then what becomes of the feature elsewhere. */
export const Detail = ({ row, pairs, cell }: Props) => {
  const t = useT()
  const fates = fatesOf(row, pairs)
  const pair = pairs.find(({ key }) => key === cell)
  const own = pair && fates.find(each => each.keys.includes(pair.key))
  const others = fates.filter(each => each !== own)
  return (
    <Stack spacing={3}>
      {pair && own && (
        <section>
          <Typography variant="h3" sx={{ mb: 1 }}>
            {t('conformance.between', {
              caller: nameOf(pair.caller.dialect),
              upstream: nameOf(pair.upstream),
            })}
          </Typography>
          <Reason fate={own} />
          <Typography variant="body2" sx={{ color: 'text.secondary', mt: 1 }}>
            {t('conformance.asked', { client: pair.caller.client })}
          </Typography>
          {own.keys.length > 1 && (
            <>
              <Typography variant="body2" sx={{ fontWeight: 500, mt: 2 }}>
                {t('conformance.same')}
              </Typography>
              <Between fate={own} />
            </>
          )}
        </section>
      )}
      {others.length > 0 && (
        <section>
          {own && (
            <Typography variant="h3" sx={{ mb: 1 }}>
              {t('conformance.elsewhere')}
            </Typography>
          )}
          <Stack component="ul" spacing={1.5} sx={{ m: 0, p: 0, listStyle: 'none' }}>
            {others.map(fate => (
              <Box component="li" key={fate.keys[0]} sx={card}>
                <Reason fate={fate} />
                <Between fate={fate} />
              </Box>
            ))}
          </Stack>
        </section>
      )}
    </Stack>
  )
}

const card = { border: '1px solid', borderColor: 'divider', borderRadius: '8px', p: 1.5 }

const Reason = ({ fate: { state, why, source } }: { fate: Fate }) => (
  <>
    <StateText state={state} />
    {why && (
      // The run writes its reasons in English.
      <Typography lang="en" sx={{ mt: 0.75 }}>
        <Words text={why} />
      </Typography>
    )}
    {source && <Source source={source} />}
  </>
)

/** `code` in a sentence. */
const Words = ({ text }: { text: string }) =>
  text.split('`').map((part, at) =>
    at % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sentence never move
      <Box key={at} component="code" sx={{ fontFamily: mono, fontSize: 13 }}>
        {part}
      </Box>
    ) : (
      part
    ),
  )

const Source = ({ source }: { source: string }) => {
  const t = useT()
  const url = linkOf(source)
  if (!url)
    return (
      <Typography variant="body2" sx={{ color: 'text.secondary', mt: 0.75 }}>
        {t('conformance.source', { host: source })}
      </Typography>
    )
  return (
    <Link
      href={url.href}
      target="_blank"
      rel="noreferrer noopener"
      variant="body2"
      sx={{ display: 'inline-flex', alignItems: 'center', gap: 0.5, mt: 0.75 }}
    >
      {t('conformance.source', { host: url.host })}
      <OpenIcon aria-hidden sx={{ fontSize: 16 }} />
      <span style={visuallyHidden as object}>{`(${t('conformance.newTab')})`}</span>
    </Link>
  )
}

const Between = ({ fate: { between } }: { fate: Fate }) => {
  const t = useT()
  return (
    <Box
      component="ul"
      sx={{ m: 0, mt: 0.75, p: 0, listStyle: 'none', fontSize: 13, color: 'text.secondary' }}
    >
      {between.map(({ caller, upstreams }) => (
        <li key={caller.id}>
          {t('conformance.pair', {
            caller: nameOf(caller.dialect),
            upstream: upstreams.map(nameOf).join(', '),
          })}
        </li>
      ))}
    </Box>
  )
}
