// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Checks} from "../Checks.sol";
import {Rotations} from "./Rotations.sol";

/// @notice Everything that can happen to money, in any order, on a hub without delays and limits.
contract MoneyBusiness is Rotations, Checks {
    function actions() external pure returns (bytes4[] memory selectors) {
        selectors = new bytes4[](32);
        selectors[0] = this.payDeposit.selector;
        selectors[1] = this.payNative.selector;
        selectors[2] = this.sweepAny.selector;
        selectors[3] = this.sweepWhole.selector;
        selectors[4] = this.sweepTwice.selector;
        selectors[5] = this.sweepBetweenBadOnes.selector;
        selectors[6] = this.sweepAsStranger.selector;
        selectors[7] = this.payForwarder.selector;
        selectors[8] = this.settlePayments.selector;
        selectors[9] = this.settleWallet.selector;
        selectors[10] = this.settlePayerWithCode.selector;
        selectors[11] = this.distributeOne.selector;
        selectors[12] = this.distributeAsStranger.selector;
        selectors[13] = this.settleUpto.selector;
        selectors[14] = this.settleExact.selector;
        selectors[15] = this.forgePermit.selector;
        selectors[16] = this.refundSome.selector;
        selectors[17] = this.rescueSome.selector;
        selectors[18] = this.refundWrongly.selector;
        selectors[19] = this.replay.selector;
        selectors[20] = this.sweepHostile.selector;
        selectors[21] = this.moveHostile.selector;
        selectors[22] = this.rebase.selector;
        selectors[23] = this.toggleStop.selector;
        selectors[24] = this.toggleListing.selector;
        selectors[25] = this.toggleBlacklist.selector;
        selectors[26] = this.sweepHeldUp.selector;
        selectors[27] = this.changeChain.selector;
        selectors[28] = this.replaceKey.selector;
        selectors[29] = this.forge.selector;
        selectors[30] = this.changeTreasury.selector;
        selectors[31] = this.sweepOnOtherTerms.selector;
    }
}
