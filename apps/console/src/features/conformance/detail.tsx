import OpenIcon from 'virtual:icons/open-in-new'
import Box from '@mui/material/Box'
import Link from '@mui/material/Link'
import Stack from '@mui/material/Stack'
import Typography from '@mui/material/Typography'
import { visuallyHidden } from '@mui/utils'
import { mono, useT } from '../../ui/index.ts'
import {
  callerName,
  type FeatureRow,
  type FormatPair,
  linkOf,
  nameOf,
  type Outcome,
  outcomesOf,
} from './grid.ts'
import { StateText } from './state.tsx'

type Props = { row: FeatureRow; pairs: FormatPair[]; cell: string }

/** The outcome of the selected cell and of equal cells, then the other outcomes of the feature. */
export const FeatureDetail = ({ row, pairs, cell }: Props) => {
  const t = useT()
  const outcomes = outcomesOf(row, pairs)
  const pair = pairs.find(({ key }) => key === cell)
  const selected = pair && outcomes.find(each => each.keys.includes(pair.key))
  const others = outcomes.filter(each => each !== selected)
  return (
    <Stack spacing={3}>
      {pair && selected && (
        <section>
          <Typography variant="h3" sx={{ mb: 1 }}>
            {t('conformance.between', {
              caller: callerName(pair.caller),
              upstream: nameOf(pair.upstream),
            })}
          </Typography>
          <OutcomeReason outcome={selected} />
          <Typography variant="body2" sx={{ color: 'text.secondary', mt: 1 }}>
            {t('conformance.testedWith', { client: pair.caller.client })}
          </Typography>
          {selected.keys.length > 1 && (
            <>
              <Typography variant="body2" sx={{ fontWeight: 500, mt: 2 }}>
                {t('conformance.sameResult')}
              </Typography>
              <FormatPairs outcome={selected} />
            </>
          )}
        </section>
      )}
      {others.length > 0 && (
        <section>
          {selected && (
            <Typography variant="h3" sx={{ mb: 1 }}>
              {t('conformance.otherPairs')}
            </Typography>
          )}
          <Stack component="ul" spacing={1.5} sx={{ m: 0, p: 0, listStyle: 'none' }}>
            {others.map(outcome => (
              <Box component="li" key={outcome.keys[0]} sx={card}>
                <OutcomeReason outcome={outcome} />
                <FormatPairs outcome={outcome} />
              </Box>
            ))}
          </Stack>
        </section>
      )}
    </Stack>
  )
}

const card = { border: '1px solid', borderColor: 'divider', borderRadius: '8px', p: 1.5 }

const OutcomeReason = ({ outcome: { state, why, source } }: { outcome: Outcome }) => (
  <>
    <StateText state={state} />
    {why && (
      // The run reports its reasons in English.
      <Typography lang="en" sx={{ mt: 0.75 }}>
        <InlineCode text={why} />
      </Typography>
    )}
    {source && <Source source={source} />}
  </>
)

/** Renders text in backticks as code. */
const InlineCode = ({ text }: { text: string }) =>
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

const FormatPairs = ({ outcome: { between } }: { outcome: Outcome }) => {
  const t = useT()
  return (
    <Box
      component="ul"
      sx={{ m: 0, mt: 0.75, p: 0, listStyle: 'none', fontSize: 13, color: 'text.secondary' }}
    >
      {between.map(({ caller, upstreams }) => (
        <li key={caller.id}>
          {t('conformance.pair', {
            caller: callerName(caller),
            upstream: upstreams.map(nameOf).join(', '),
          })}
        </li>
      ))}
    </Box>
  )
}
