import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, it } from 'vitest'
import { weightedCharsInJson } from './meter.ts'

/** Our own words, about 100 tokens of each kind. */
const samples: Readonly<Record<string, string>> = {
  English: `The harbour was quiet when the last ferry came in. Two men carried crates of oranges down the ramp, and a boy counted them aloud, losing his place whenever a gull screamed. Nobody hurried. By nine the cafés had closed, the lamps along the pier were lit, and the only sound left was water moving between the boats.

If you want to plan a visit, come in October: rooms are cheaper, the sea is still warm, and you will have the old streets almost to yourself.`,
  German: `Der Hafen war still, als die letzte Fähre einlief. Zwei Männer trugen Kisten mit Orangen die Rampe hinunter, und ein Junge zählte laut mit und verlor den Faden, sobald eine Möwe schrie. Niemand hatte es eilig. Gegen neun Uhr waren die Cafés geschlossen, und man hörte nur noch das Wasser zwischen den Booten.`,
  Chinese: `港口在最后一班渡轮靠岸时已经安静下来。两个人抬着一箱箱橙子走下跳板，一个男孩大声数着，每当海鸥叫起来，他就数错了。没有人着急。到了九点，咖啡馆都关了门，码头上的灯亮了，只剩下船与船之间流水的声音。

如果您打算来旅行，建议选择十月：房价便宜，海水还很温暖，老街上几乎没有别的游客。`,
  Japanese: `最後のフェリーが着いたとき、港は静かだった。二人の男がオレンジの箱を運び下ろし、少年が声に出して数えていたが、カモメが鳴くたびに数え間違えた。誰も急いではいない。九時になるとカフェは閉まり、桟橋の明かりがともり、船の間を流れる水の音だけが残った。`,
  Korean: `마지막 여객선이 들어왔을 때 항구는 조용했다. 두 남자가 오렌지 상자를 들고 내려왔고, 한 소년이 큰 소리로 세다가 갈매기가 울 때마다 숫자를 잊어버렸다. 아무도 서두르지 않았다. 아홉 시가 되자 카페는 문을 닫았고 부두의 불이 켜졌다.`,
  Russian: `Когда пришёл последний паром, в гавани было тихо. Двое мужчин несли по трапу ящики с апельсинами, а мальчик считал их вслух и сбивался каждый раз, когда кричала чайка. Никто не спешил. К девяти часам кафе закрылись, на пирсе зажглись фонари, и остался только шум воды между лодками.`,
  Arabic: `كان الميناء هادئا عندما وصلت آخر عبارة. حمل رجلان صناديق البرتقال على المنحدر، وكان صبي يعدها بصوت عال ويخطئ كلما صرخ نورس. لم يكن أحد في عجلة من أمره. وعند التاسعة أغلقت المقاهي أبوابها.`,
  emoji: `Great job! 🎉🎉 Here is your plan 👇
✅ Book the ferry 🚢
✅ Pack light 🧳
✅ Enjoy 😎🌊`,
  code: `export const median = (values: readonly number[]): number => {
  if (values.length === 0) throw new RangeError('no values')
  const sorted = [...values].sort((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}
for (let at = 0; at < rows.length; at += 1) {
  const { id, total } = rows[at]
  if (seen.has(id)) continue
  sum += total * rate
}`,
  JSON: JSON.stringify({
    orders: [
      {
        id: 'A-10293',
        customer: 'Marta Lund',
        lines: [
          { sku: 'ORG-5', quantity: 12, price: 3.49 },
          { sku: 'LEM-2', quantity: 3, price: 1.2 },
        ],
        paid: true,
        placedAt: '2026-03-14T09:26:53Z',
      },
      { id: 'A-10294', customer: 'Jonas Weil', lines: [], paid: false, note: null },
    ],
    next: null,
  }),
  figures: `3.14159265358979 2.71828182845905 1.41421356237310 1.61803398874989
1024 2048 4096 8192 16384 32768 65536`,
}

/** The scripts of India and South-East Asia, which tokenizers of an earlier kind cut into twice as many pieces. */
const rarer: Readonly<Record<string, string>> = {
  Hindi: `जब आख़िरी नाव आई तब बंदरगाह शांत था। दो आदमी संतरों की पेटियाँ उतार रहे थे और एक लड़का ज़ोर से गिन रहा था, पर हर बार पक्षी के चिल्लाने पर वह गिनती भूल जाता था। किसी को जल्दी नहीं थी।`,
  Thai: `ท่าเรือเงียบสงบเมื่อเรือเฟอร์รี่ลำสุดท้ายเข้ามา ชายสองคนแบกลังส้มลงมาตามทางลาด และเด็กชายคนหนึ่งนับเสียงดัง ไม่มีใครรีบร้อน`,
}

const metered = (json: string) => {
  const bytes = Buffer.from(json)
  return weightedCharsInJson(bytes, 1, bytes.length - 1) / 4
}
const escaped = (json: string) =>
  json.replace(/[\u0080-\uffff]/g, each => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`)

describe('the meter against a tokenizer', () => {
  it.each(Object.entries(samples))('%s: 0.9 to 1.5 times the true count', (_kind, text) => {
    const ratio = metered(JSON.stringify(text)) / countTokens(text)
    expect(ratio).toBeGreaterThan(0.9)
    expect(ratio).toBeLessThan(1.5)
  })

  it.each(Object.entries(rarer))('%s: 1 to 2 times the true count', (_kind, text) => {
    const ratio = metered(JSON.stringify(text)) / countTokens(text)
    expect(ratio).toBeGreaterThan(1)
    expect(ratio).toBeLessThan(2)
  })

  it.each(Object.entries({ ...samples, ...rarer }))(
    '%s weighs the same however JSON writes it',
    (_kind, text) => {
      const json = JSON.stringify(text)
      expect(metered(escaped(json)) / metered(json)).toBeCloseTo(1, 1)
    },
  )
})
