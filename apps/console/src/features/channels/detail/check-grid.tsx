import FailedIcon from 'virtual:icons/cancel'
import PassedIcon from 'virtual:icons/check-circle'
import { type CheckResult, checkedFeatures } from '@hub/contract'
import Box from '@mui/material/Box'
import Stack from '@mui/material/Stack'
import Table from '@mui/material/Table'
import TableBody from '@mui/material/TableBody'
import TableCell from '@mui/material/TableCell'
import TableHead from '@mui/material/TableHead'
import TableRow from '@mui/material/TableRow'
import Typography from '@mui/material/Typography'
import { ModelName } from '../../../domain/index.ts'
import { formatDuration, mono, type T, useT } from '../../../ui/index.ts'

/** The results as models × features, and the reasons of those that did not pass. */
export const CheckGrid = ({ results }: { results: readonly CheckResult[] }) => {
  const t = useT()
  const models = [...new Set(results.map(each => each.model))]
  const features = checkedFeatures.filter(each => results.some(({ feature }) => feature === each))
  const failed = results.filter(each => !each.passed)
  return (
    <>
      <Box
        component="section"
        tabIndex={0}
        aria-label={t('channel.check.results')}
        sx={{ overflowX: 'auto' }}
      >
        <Table size="small" sx={{ '& th, & td': { whiteSpace: 'nowrap' } }}>
          <TableHead>
            <TableRow>
              <TableCell>{t('channel.check.model')}</TableCell>
              {features.map(each => (
                <TableCell key={each} align="center">
                  {t(`channel.check.feature.${each}`)}
                </TableCell>
              ))}
            </TableRow>
          </TableHead>
          <TableBody>
            {models.map(model => (
              <TableRow key={model}>
                <TableCell component="th" scope="row" sx={{ fontFamily: mono, fontSize: 12 }}>
                  <ModelName name={model} />
                </TableCell>
                {features.map(feature => (
                  <TableCell key={feature} align="center">
                    <Mark
                      result={results.find(
                        each => each.model === model && each.feature === feature,
                      )}
                    />
                  </TableCell>
                ))}
              </TableRow>
            ))}
          </TableBody>
        </Table>
      </Box>
      {failed.length > 0 && (
        <Stack component="ul" spacing={1.25} sx={{ listStyle: 'none', m: 0, mt: 2, p: 0 }}>
          {[...Map.groupBy(failed, each => `${each.feature} ${reasonOf(t, each)}`)].map(
            ([key, alike]) => (
              <li key={key}>
                <Typography variant="body2" sx={{ overflowWrap: 'anywhere' }}>
                  <strong>{t(`channel.check.feature.${alike[0]!.feature}`)}</strong>{' '}
                  {reasonOf(t, alike[0]!)}
                </Typography>
                <Typography
                  variant="caption"
                  component="p"
                  sx={{ color: 'text.secondary', overflowWrap: 'anywhere' }}
                >
                  {alike.map(each => each.model).join(', ')}
                </Typography>
              </li>
            ),
          )}
        </Stack>
      )}
    </>
  )
}

const reasonOf = (t: T, { reason, detail }: CheckResult): string =>
  [reason && t(`channel.check.reason.${reason}`), detail].filter(Boolean).join(' ')

const Mark = ({ result }: { result: CheckResult | undefined }) => {
  const t = useT()
  if (!result) return <>–</>
  const { passed, milliseconds } = result
  const Icon = passed ? PassedIcon : FailedIcon
  return (
    <Stack sx={{ alignItems: 'center' }}>
      <Icon
        titleAccess={t(`channel.check.${passed ? 'passed' : 'failed'}`)}
        sx={{ fontSize: 18, color: passed ? 'success.main' : 'error.main' }}
      />
      <Typography variant="caption" sx={{ color: 'text.secondary' }}>
        {formatDuration(milliseconds)}
      </Typography>
    </Stack>
  )
}
