// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {Checks} from "../Checks.sol";
import {Owning} from "./Owning.sol";

/// @notice Everything that owner, guardian and signers can do, in any order, on a hub with the
///         delays and limits of a live chain, while its business continues.
contract GovernedBusiness is Owning, Checks {
    /// @dev After every call.
    function check() external view {
        for (uint256 m; m < MERCHANTS; ++m) {
            checkEntry(m);
        }
        checkPowers();
        this.checkNobodyElseHolds();
    }

    function actions() external pure returns (bytes4[] memory selectors) {
        selectors = new bytes4[](27);
        selectors[0] = this.payDeposit.selector;
        selectors[1] = this.payNative.selector;
        selectors[2] = this.payForwarder.selector;
        selectors[3] = this.settlePayments.selector;
        selectors[4] = this.sweepAny.selector;
        selectors[5] = this.sweepWhole.selector;
        selectors[6] = this.sweepTwice.selector;
        selectors[7] = this.distributeOne.selector;
        selectors[8] = this.refundSome.selector;
        selectors[9] = this.rescueSome.selector;
        selectors[10] = this.refundApproved.selector;
        selectors[11] = this.replay.selector;
        selectors[12] = this.toggleStop.selector;
        selectors[13] = this.wait.selector;
        selectors[14] = this.signEntry.selector;
        selectors[15] = this.submitAgain.selector;
        selectors[16] = this.vetoChange.selector;
        selectors[17] = this.announce.selector;
        selectors[18] = this.distributeAsTreasury.selector;
        selectors[19] = this.propose.selector;
        selectors[20] = this.execute.selector;
        selectors[21] = this.executeWhenReady.selector;
        selectors[22] = this.vetoProposed.selector;
        selectors[23] = this.acceptOwnership.selector;
        selectors[24] = this.submitWhenReady.selector;
        selectors[25] = this.vetoAllProposed.selector;
        selectors[26] = this.sweepOnOtherTerms.selector;
    }
}
