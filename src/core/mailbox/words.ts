/**
 * 1,041 English words of 3 to 5 letters, most of them from the BIP 39 word list. All differ in their first four
 * letters, except `thin` and `thing`.
 */
export const WORDS: readonly string[] = `
  able about above acid act actor adapt add admit adult again age agent agree ahead aim air aisle alarm album alert
  all alley allow alone alpha also alter among anger angle ankle any apart apple april arch area arena arm armed
  armor arrow art ask asset atom audit aunt auto avoid awake aware away awful axis bacon badge bag ball bar base
  basic beach bean beef begin below belt bench best bid bike bind bird birth black blade blame blast bleak bless
  blind blue blur blush board boat body boil bone bonus book boost boss box brain brand brass brave bread brick
  brief bring brisk broom brown brush buddy build bulb bulk burst bus busy buyer buzz cabin cable cage cake call
  calm camp can canal candy canoe car card cargo carry cart case cash cat catch cause cave chair chalk chase chat
  cheap check chef chest chief chunk churn cigar city civil claim clap claw clay clean clerk click cliff climb clip
  clock clog close cloth cloud clown club clump coach coast coil coin color come comic cook cool copy coral core
  corn cost couch cover crack craft cram crane crash crawl crazy cream creek crew crisp crop cross crowd crush cry
  cube cup curve cute cycle damp dance dash dawn day deal deer defy delay deny depth desk dial diary dice diet dirt
  dish dizzy dog doll donor door dose dove draft drama draw dream dress drift drill drink drip drive drop drum dry
  duck dune dust dutch duty dwarf eager eagle early earn earth east easy echo edge edit egg eight elbow elder elite
  else empty enact end enemy enjoy enter entry equal equip era erase erode erupt essay evoke exact exile exist exit
  extra eye face fade faint faith fall fame fan fancy farm fault feed feel fence fetch few fiber field file film
  final find fine fire firm first fish fit fix flag flame flash flat flee flip float flock floor fluid flush fly
  foam focus fog foil fold food foot force fork forum found fox frame fresh frog front frost frown fruit fuel fun
  funny fury gain game gap gas gasp gate gauge gaze genre ghost giant gift give glad glare glass glide globe gloom
  glory glove glow glue goat gold good goose gown grab grace grain grant grape grass great green grid grit group
  grow guard guess guide gym habit hair half hand happy hard hat have hawk head heart heavy hello help hen hero high
  hill hint hip hire hobby hold hole home honey hood hope horn horse host hotel hour hover hub huge human humor hunt
  hurry ice icon idea ill image inch index inner input into iron issue item ivory jar jazz jeans jelly jewel job
  join joke joy judge juice jump junk just keen keep key kick kid kind kiss kit kite kiwi knee knock know lab label
  labor lake lamp large later latin laugh lava law lawn layer leaf learn leave left leg legal lemon lend lens level
  liar life lift light like limb limit link lion list live load local lock logic long loop loud love loyal lucky
  lunar lunch mad magic maid main major make mango maple march mask mass match math maze mean meat medal media melt
  menu mercy merge merit merry mesh metal milk mimic mind minor miss mix mixed model month moon moral more motor
  mouse move movie much mule music must myth name near neck need nerve nest net never news next nice night noble
  noise north nose note novel now nurse nut oak occur ocean off offer often oil okay old olive omit once one onion
  only open opera orbit organ other outer oval oven over own owner ozone pact page pair palm panda panel paper park
  party pass patch path pause pave peace pear pen pet phone photo piano piece pill pilot pink pipe pitch pizza place
  plate play pluck plug poem poet point polar pole pond pony pool post power price pride print prize proof proud
  pull pulp pulse pupil puppy purse push put quick quit quiz quote race rack radar radio rail rain raise rally ramp
  ranch range rapid rare rate raven raw razor ready real rebel relax rely renew rent rib rice rich ride ridge right
  rigid ring riot risk rival river road roast robot roof room rose rough round route royal rug rule run rural safe
  sail salad salon salt same sand sauce save say scale scan scare scene scout scrap scrub sea seat seed seek sell
  sense setup seven shaft share shed shell shift shine ship shock shoe shop short shove shrug shy side siege sight
  sign silk silly since sing siren six size skate ski skill skin skirt skull slab slam sleep slice slide slot slow
  slush small smart smile smoke snack snap sniff snow soap sock soda soft solar solid solve song soon sorry sort
  soul sound soup south space spare spawn speak speed spell spend spice spike spin split spoil spoon sport spot
  spray spy staff stage stamp stand start state stay steak steel stem step stick still sting stock stone stool story
  stove stuff style such sugar suit sun sunny super sure surge swamp swap swarm swear sweet swift swim swing sword
  syrup table tag tail talk tank tape task taste taxi teach team tell ten tent term test text thank that theme then
  there they thin thing this three throw thumb tide tiger tilt time tiny tip tired title toast today toe token tone
  tool tooth top topic torch toss total tower town toy track trade train trap tray treat tree trend trial tribe
  trick trim trip truck true truly trust truth try tube tuna turn twice twin twist two type uncle under undo unit
  until upon upper upset urban urge use used usual vague valid valve van vapor vast vault venue verb very video view
  visa visit vital vivid vocal voice void wage wagon wait walk wall want warm wash wasp waste water wave way wear
  web weird west wet whale what wheat wheel when where whip white wide width wife wild will win wine wing wink wire
  wise wish wolf wood wool word work world worth wrap wreck wrist write yard year you young youth zebra zero zone
  zoo
`
  .trim()
  .split(/\s+/)
