"""Common English words of three to six letters and at most 3.2 em, for the cells of a grid."""

_LIST = """
acorn actor amber anchor ankle apple apron arrow attic badge baker barn basin basket beach bean
bear bell bench berry bird boat bonnet book boot bottle bowl box branch bread brick bridge broom
brush bucket butter button cabin cactus cake camel candle canoe canvas carpet carrot castle cat
cedar cello chair chalk cheese cherry circle clay clock cloud clover coal coat coffee coin comb
copper coral corn cotton crayon cream crow crown cup daisy deer desk dinner dish dog dragon drawer
dress drum duck eagle easel elbow elm ember engine fabric falcon farm fence fern fiddle field
finger flag flame flour flower flute forest fork fox frame frog garden garlic gate glass globe
glove goat goose grape grass gravel guitar harbor hat hazel helmet hen hill honey horn horse hotel
house iron island ivory jacket jar jersey jewel jug juice kettle key kite kitten knee knife ladder
lake lamp leaf lemon letter lily lime lion lizard lock locket map maple marble market melon milk
mint mirror mitten moon moss motor mug nail napkin needle nest net nickel night novel oak oar ocean
olive onion orange orchid otter oven owl paddle palm panda paper parrot pasta path peach pear
pebble pencil pepper piano pickle pillow pilot pine planet plate plum pocket pond poppy potato
prune puddle purse quartz queen quilt rabbit radio rain ribbon rice ring river robin rocket rope
rose ruby saddle sail salt sand scarf school seed shell ship shirt shoe silk silver sky snail snow
soap sock spice spoon spring square stamp star steam stone stove straw street sugar sun table tea
teapot temple tent thread ticket tiger timber toast tomato tower train tree trunk tulip tunnel
turtle valley vase velvet violin wagon walnut water whale wheat wheel willow winter wool yarn zebra
"""

WORDS = tuple(_LIST.split())
