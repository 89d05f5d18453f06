import { expect, test } from 'vitest'
import { uncheckedColumns } from './testing.ts'

const oldest =
  '(select "old"."id" from "t" as "old" where "old"."ends" <= $1 and "old"."at" is null order by "x" limit $2)'

test.each([
  [`delete from "t" where "id" in ${oldest}`, ['ends', 'at']],
  [`delete from "t" where "id" in ${oldest} and "ends" <= $3`, ['at']],
  [`delete from "t" where "ends" <= $3 and "at" is null and ("id") in ${oldest}`, []],
  [`update "t" set "ends" = $0 where "id" in ${oldest} returning "at"`, ['ends', 'at']],
  [
    'update t set due = $1 where id in (\n with due as (select id from t) select id from due where due <= $2 limit 1)',
    ['due'],
  ],
  // Rows of one inbox, which the transaction locks.
  [`delete from "t" where "id" not in ${oldest}`, []],
  ['delete from "t" where "id" in (select "id" from "u" where "u"."ends" <= $1)', []],
  [`select "id" from "t" where "id" in ${oldest}`, []],
])('finds conditions that a statement does not repeat outside of its subquery: %s', (sql, columns) => {
  expect(uncheckedColumns(sql)).toEqual(columns)
})
